// Nothing happens twice: the server did it, its answer was replaced on the way by one that says nothing, and the button is
// pressed again.

import assert from 'node:assert/strict';
import { NAMES } from './names.mjs';
import { until } from './patience.mjs';
import { activityNamed, asAdmin, signInByCode } from './steps.mjs';

/**
 * Lets every request of that kind reach the server; `spoil` of them are answered to the page as if a proxy had died.
 *
 * @param {import('playwright-core').Page} page
 */
async function spoil(page, path, spoiled) {
  const seen = [];
  await page.route(path, async (route) => {
    if (route.request().method() !== 'POST') return route.continue();
    const answer = await route.fetch();
    const body = route.request().postDataJSON();
    seen.push({
      id: body?.id ?? route.request().headers()['idempotency-key'],
      status: answer.status(),
      told: await answer.json(),
    });
    if (seen.length > spoiled) return route.fulfill({ response: answer });
    return route.fulfill({ status: 500, contentType: 'text/html', body: '<h1>Bad gateway</h1>' });
  });
  return seen;
}

/** @param {import('playwright-core').Page} page */
const chancesOn = async (page) =>
  Number((await page.getByTestId('chances').textContent()).match(/\d+/)?.[0] ?? 0);

/** @type {import('./journey.js').Journey[]} */
export default [
  {
    name: 'hole 73: a draw whose answer was lost, pressed again, is drawn once; after a reload too',
    allow: ['500 (Internal Server Error)'],
    async run({ page, url }) {
      const wheel = await activityNamed(url, 'Spring wheel');
      await signInByCode(page, '13900007301');
      await page.goto(`/activities/${wheel}`);
      await page.locator('.hub:enabled').waitFor();
      const before = await chancesOn(page);
      const seen = await spoil(page, '**/draws', 2);
      await page.locator('.hub').click();
      await page.getByTestId('stage-open').waitFor();
      assert.equal(seen.length, 1);
      // The page is loaded anew: what was begun is finished by itself, and its answer is lost once more.
      await page.reload();
      await page.getByTestId('stage-open').waitFor();
      await page.locator('.hub').click();
      await page.getByRole('dialog').waitFor();
      assert.deepEqual(
        seen.map(({ id, told }) => [id, told.ticket]),
        Array(3).fill([seen[0].id, seen[0].told.ticket]),
        'one id, one ticket',
      );
      await page.getByRole('dialog').getByRole('button', { name: NAMES.close }).click();
      const granted = seen[0].told.draws[0].prize?.kind === 'chances' ? 1 : 0;
      await until(async () => {
        const after = await chancesOn(page);
        return after >= before - 1 && after <= before - 1 + granted;
      }, `the chances are one fewer than ${before}`);
    },
  },
  {
    name: 'hole 73: an order of the shop whose answer was lost, asked for again in a new dialog, is bought once',
    allow: ['500 (Internal Server Error)'],
    async run({ page, url }) {
      await signInByCode(page, '13900007302');
      const me = await page.evaluate(async () => (await fetch('/api/v1/me')).json());
      await asAdmin(url, `/admin/users/${me.id}/points`, { points: 400, reason: 'for the journey' });
      await page.goto('/shop');
      const seen = await spoil(page, '**/shop/*/orders', 1);
      const buy = page.getByRole('button', { name: /Buy .*A week of films/ });
      await buy.click();
      await page.locator('dialog form button[type=submit]').click();
      await page.locator('dialog .refused').waitFor();
      await page.getByRole('dialog').getByRole('button', { name: NAMES.close }).click();
      await buy.click();
      await page.locator('dialog form button[type=submit]').click();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      assert.equal(seen.length, 2);
      assert.equal(seen[1].id, seen[0].id);
      assert.equal(seen[1].told.id, seen[0].told.id, 'one order');
      await page.getByText('You have 280 points.').waitFor();
    },
  },
];
