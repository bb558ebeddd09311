// What is stuck is seen, from every page, and mended where it is seen; and who decides about a version sees all of it.
import assert from 'node:assert/strict';
import { serious } from '../axe.mjs';
import { deadLetter } from './dead.mjs';
import { client, DESK, enter, until } from './desk.mjs';

const HOUR_MS = 3_600_000;

/** An activity in which the player wins a code of an empty pool. */
async function wonNoCode(url, pool) {
  const [operator, reviewer, player] = await Promise.all(
    ['operator', 'reviewer', 'player'].map((who) => client(url, who)),
  );
  const { id: pool_id } = await operator.post('/code-pools', { name: pool });
  const { now_ms: now } = await operator.get('/time');
  const { id } = await operator.post('/activities', {
    name: `Codes of ${pool}`,
    from: now - 60_000,
    until: now + HOUR_MS,
    chances: { total: 5 },
    whole: 100,
    prizes: [{ name: 'A code', odds: 100, units: 3, kind: 'code', pool: pool_id }],
  });
  await operator.post(`/activities/${id}/submit`, {});
  await reviewer.post(`/activities/${id}/approve`, {});
  await until(async () => (await operator.get(`/activities/${id}`)).state === 'running', 'it runs');
  await player.post(`/play/activities/${id}/draws`, { id: `att-${id}`, draws: 1 });
  await until(
    async () => (await operator.get(`/fulfilments?activity=${id}`)).items[0]?.waits_for === 'more codes',
    'the winner waits',
  );
  return { id, pool_id };
}

/** @type {import('../journey.js').Journey[]} */
export default [
  {
    name: 'console: attention: a winner without a code is on the dashboard, and gone once codes are imported there',
    window: DESK,
    async run({ page, url }) {
      await wonNoCode(url, 'kettle');
      await enter(page, 'operator', '/console/users');
      await page.getByRole('link', { name: /things? needs? attention/ }).click();
      const list = page.getByRole('region', { name: 'Needs attention' });
      const item = list
        .getByRole('listitem')
        .filter({ hasText: '1 winner waits for a code: “kettle” is empty' });
      await item.waitFor();
      await list.getByText('“kettle” has 0 codes for 3 that were promised').waitFor();
      assert.deepEqual(await serious(page), []);
      await item.getByRole('button', { name: 'Import' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Codes, one per line').fill('KET-1\nKET-2\nKET-3');
      await dialog.getByRole('button', { name: 'Check' }).click();
      await dialog.getByRole('button', { name: 'Import 3 new codes' }).click();
      await dialog.getByText('3 added').waitFor();
      await dialog.getByRole('button', { name: 'Close', exact: true }).last().click();
      await item.getByText('Mended').waitFor();
    },
  },
  {
    name: 'console: attention: messages that could not be delivered are all tried again from the list',
    window: DESK,
    async run({ page, url }) {
      const { id, activity } = await deadLetter(url);
      const operator = await client(url, 'operator');
      await operator.post(`/activities/${activity}/reopen`, { reason: 'another round' });
      await until(async () => (await operator.get(`/activities/${activity}`)).state === 'running', 'it runs');
      await enter(page, 'operator', '/console');
      const list = page.getByRole('region', { name: 'Needs attention' });
      const item = list
        .getByRole('listitem')
        .filter({ hasText: /messages? could not be delivered \(chances\)/ });
      await item.getByRole('button', { name: 'Try all again' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Reason').fill('the activity is open again');
      await dialog.getByRole('button', { name: 'Try all again' }).click();
      await dialog.getByText(/tried again/).waitFor();
      await until(async () => (await operator.get(`/fulfilments/${id}`)).state === 'given', 'it is given');
    },
  },
  {
    name: 'console: attention: submitting more units than codes, and restocking them, warns',
    window: DESK,
    async run({ page, url }) {
      const { id, pool_id } = await wonNoCode(url, 'teapot');
      await enter(page, 'operator', `/console/activities/${id}/edit`);
      await page.getByLabel('Name', { exact: true }).first().fill('Codes of teapot, again');
      await page.getByRole('button', { name: 'Submit for review' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.locator('.ant-modal-confirm-title', { hasText: 'There are not enough codes' }).waitFor();
      await dialog.getByText('“teapot” has 0 codes left for 3 promised already and 0 more').waitFor();
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      await page.goto(`/console/activities/${id}?tab=run`);
      await page.getByRole('button', { name: 'Restock' }).first().click();
      await page.getByText('Codes left in “teapot”: 0. Promised already: 3.').waitFor();
      const operator = await client(url, 'operator');
      await operator.list(`/code-pools/${pool_id}/codes`, ['POT-1', 'POT-2', 'POT-3']);
    },
  },
  {
    name: 'console: search: one box finds a person by phone, an activity by name, a pool and an id',
    window: DESK,
    // Whatever the text is not is looked up too, and is not there.
    allow: ['404', '400'],
    async run({ page, url }) {
      const operator = await client(url, 'operator');
      const { id } = await operator.post('/code-pools', { name: 'searched pool' });
      const player = await client(url, 'player');
      const me = await player.get('/me');
      await enter(page, 'operator', '/console/jobs');
      const box = page.getByRole('searchbox', { name: 'Search everything' });
      const list = page.getByRole('list', { name: 'Results' });
      const finds = async (text, what, href) => {
        await box.fill(text);
        await box.press('Enter');
        await list
          .getByRole('listitem')
          .filter({ hasText: what })
          .locator(`a[href="${href}"]`)
          .first()
          .waitFor();
      };
      await finds('13800000001', 'Person', `/console/users/${me.id}`);
      await finds(me.id, 'Person', `/console/users/${me.id}`);
      await finds('searched pool', 'Code pool', '/console/codes?name=searched%20pool');
      const [wheel] = (await operator.get(`/activities?q=${encodeURIComponent('大转盘')}`)).items;
      await finds(wheel.name, 'Activity', `/console/activities/${wheel.id}`);
      await finds(wheel.id, 'Activity', `/console/activities/${wheel.id}`);
      assert.deepEqual(await serious(page), []);
      await box.fill(`nobody-${id}`);
      await box.press('Enter');
      await page.getByText('Nothing has this id or name.').waitFor();
    },
  },
  {
    name: 'console: hole 74: whoever decides sees the tree’s new version, names, times and the highest cost',
    window: DESK,
    async run({ page, url }) {
      const operator = await client(url, 'operator');
      const nodes = (age) => [
        {
          id: 1,
          fact: 'age',
          type: 'number',
          edges: [{ when: '>=', value: age, to: 2 }],
          otherwise: 3,
        },
        { id: 2, leaf: 'allow' },
        { id: 3, leaf: 'deny' },
      ];
      const tree = { name: 'Grown-ups', purpose: 'admission', root: 1 };
      const { id: tree_id } = await operator.post('/trees', { ...tree, nodes: nodes(18) });
      const { now_ms: now } = await operator.get('/time');
      const form = {
        name: 'Seen whole',
        from: now - 60_000,
        until: now + HOUR_MS,
        chances: { total: 5 },
        whole: 100,
        tree: tree_id,
        prizes: [{ name: 'A mug', odds: 10, units: 30, cost_minor: 250, kind: 'text' }],
      };
      const { id } = await operator.post('/activities', form);
      await operator.post(`/activities/${id}/submit`, {});
      const reviewer = await client(url, 'reviewer');
      await reviewer.post(`/activities/${id}/approve`, {});
      await operator.put(`/trees/${tree_id}`, { ...tree, version: 1, nodes: nodes(21) });
      const release = [{ at: now + 1_200_000, units: 30 }];
      const prizes = [{ ...form.prizes[0], odds: 20, release }];
      await operator.put(`/activities/${id}?edition=0`, { ...form, prizes });
      await operator.post(`/activities/${id}/submit`, {});
      await enter(page, 'reviewer', `/console/activities/${id}?tab=review`);
      await page.getByText('“Grown-ups” changes from version 1 to version 2').waitFor();
      const row = (name) => page.getByRole('row').filter({ has: page.getByRole('rowheader', { name }) });
      await row('A mug: chance').getByText('20%').waitFor();
      await row('Version of the rule tree').waitFor();
      await row('A mug: released over time')
        .getByText(/^30 from /)
        .waitFor();
      await page.getByText('Costs at most').waitFor();
      await page.locator('.tile', { hasText: 'Costs at most' }).getByText('¥75').waitFor();
      await page.getByRole('button', { name: 'Simulate' }).waitFor();
      assert.equal(await page.getByText('prizes.0').count(), 0, 'no path of a field');
      assert.deepEqual(await serious(page), []);
    },
  },
];
