// One-time links of a company's backend that name where they lead: to a routing tree, and by it to an activity.
import assert from 'node:assert/strict';
import { client } from './console/desk.mjs';
import { activityNamed } from './steps.mjs';

async function link(url, key, user, to) {
  const headers = {
    Authorization: `Bearer ${key}`,
    'Windfall-User': user,
    'Content-Type': 'application/json',
  };
  const body = JSON.stringify({ to });
  const answer = await fetch(`${url}/api/v1/links`, { method: 'POST', headers, body });
  assert.equal(answer.status, 201);
  return (await answer.json()).url;
}

/** @type {import('./journey.js').Journey[]} */
export default [
  {
    name: 'a one-time link leads to where it says, by way of a routing tree, and once',
    allow: ['401'],
    async run({ page, url, server }) {
      const wheel = await activityNamed(url, 'Spring wheel');
      const operator = await client(url, 'operator');
      const tree = await operator.post('/trees', {
        name: 'who gets which wheel',
        purpose: 'routing',
        root: 1,
        nodes: [{ id: 1, name: 'everybody', leaf: 'activity', activity: wheel }],
      });
      const key = server.run(['admin', 'create-key', '--name', 'links', '--scope', 'play']).split('\n')[0];
      const entrance = await link(url, key, 'links-1', `/go/${tree.id}`);
      await page.goto(entrance);
      await page.waitForURL((address) => address.pathname === `/go/${tree.id}`);
      assert.equal(new URL(page.url()).hash, '', 'the token has left the address bar');
      await page.locator('.hub').waitFor();
      await page.getByRole('heading', { name: 'Spring wheel' }).first().waitFor();

      // Without a tree, straight to a page; and whoever finds the link later does not get in.
      await page.goto(await link(url, key, 'links-1', '/wins'));
      await page.waitForURL((address) => address.pathname === '/wins');
      await page.context().clearCookies();
      await page.goto(entrance);
      await page.getByRole('alert').waitFor();
    },
  },
];
