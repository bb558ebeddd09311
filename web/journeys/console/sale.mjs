// A sale from nothing: written with a picture, approved by another, bought from, restocked, extended, refunded.
import assert from 'node:assert/strict';
import { openWindow } from '../browser.mjs';
import { look, order, press } from '../sale.mjs';
import { client, DESK, enter, until } from './desk.mjs';

const NAME = 'Teapots at noon';

/**
 * The act with this label: opens its dialog, fills it, and confirms.
 *
 * @param {import('playwright-core').Page} page
 */
async function act(page, label, fields) {
  await page.getByRole('button', { name: label, exact: true }).first().click();
  const dialog = page.getByRole('dialog');
  for (const [name, value] of fields) await dialog.getByLabel(name).fill(value);
  await dialog.getByRole('button', { name: label, exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
}

/** @type {import('../journey.js').Journey[]} */
export default [
  {
    name: 'console: a sale from nothing: written with a picture, approved, bought from, restocked and refunded',
    window: { ...DESK, timezoneId: 'UTC' },
    allow: ['net::ERR'],
    async run({ page, browser, url }) {
      await enter(page, 'operator', '/console/activities/new');
      await page.getByLabel('Name', { exact: true }).fill(NAME);
      await page.getByText('Flash sale', { exact: true }).click();
      const now = Date.now();
      await page.getByLabel('From', { exact: true }).fill(new Date(now - 60_000).toISOString().slice(0, 19));
      await page.getByRole('button', { name: 'Next' }).click();
      await page.getByLabel('Name of the item').fill('Clay teapot');
      const picture = await page.screenshot({ clip: { x: 0, y: 0, width: 320, height: 240 } });
      await page
        .getByTestId('picture-file')
        .setInputFiles({ name: 'teapot.png', mimeType: 'image/png', buffer: picture });
      await page.locator('.shot img').waitFor();
      await page.getByRole('button', { name: 'Next' }).click();
      await page.getByLabel('Price of one').fill('99.5');
      await page.getByLabel('Units', { exact: true }).fill('3');
      await page.getByRole('button', { name: 'Next' }).click();
      await page.locator('.sale-title', { hasText: '¥99.50' }).waitFor();
      await page.getByRole('button', { name: 'Submit for review' }).click();
      await page.waitForURL(
        (address) => /activities\/\d+/.test(address.pathname) && !address.pathname.endsWith('edit'),
      );
      const id = /activities\/(\d+)/.exec(page.url())[1];

      const { context, page: desk, errors } = await openWindow(browser, url, DESK);
      await enter(desk, 'reviewer', `/console/activities/${id}?tab=review`);
      await desk.getByRole('button', { name: 'Approve' }).first().click();
      await desk.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
      await until(async () => (await look(url, id))?.state === 'running', 'the sale runs');
      // Whoever approved it sees it run, without loading the page anew.
      await desk.getByRole('heading', { name: /Running/ }).waitFor();
      assert.deepEqual(errors, []);
      await context.close();

      const sold = await look(url, id);
      assert.equal(sold.item.pictures.length, 1);
      const shown = await fetch(`${url}${sold.item.pictures[0]}?width=320`);
      assert.match(shown.headers.get('content-type'), /^image\//);
      const bought = await order(await client(url, 'player'), id);
      await press(url, bought, 'pay');

      await page.goto(`/console/activities/${id}?tab=run`);
      await page.getByTestId('sold').getByText('1', { exact: true }).waitFor();
      // The answer is lost on its way: the same is asked for again, and done once.
      let lost = 0;
      await page.route('**/restock', async (route) => {
        if (lost > 0) return route.continue();
        lost += 1;
        await route.fetch();
        return route.abort();
      });
      await page.getByTestId('taken').getByText('¥99.50').waitFor();
      await act(page, 'Restock', [
        ['Change', '7'],
        ['Reason', 'more came'],
      ]);
      assert.equal(lost, 1);
      await until(async () => (await look(url, id)).units === 10, 'there are ten');
      const later = new Date(now + 30 * 86_400_000).toISOString().slice(0, 19);
      await act(page, 'Extend', [
        ['New end', later],
        ['Reason', 'so many ask'],
      ]);
      await until(async () => (await look(url, id)).until_ms > now + 29 * 86_400_000, 'it ends later');

      await page.goto(`/console/orders?sale=${id}`);
      await page.locator('.ant-table-row', { hasText: 'Paid' }).waitFor();
      await page.locator('.ant-table-row-expand-icon').first().click();
      await act(page, 'Refund', [['Reason', 'it was cracked']]);
      await page.locator('.ant-table-row', { hasText: 'Refunded' }).waitFor();
    },
  },
];
