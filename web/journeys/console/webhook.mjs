// A webhook from its secret to its log: what was sent and answered, and the same once more.
import assert from 'node:assert/strict';
import { receiver } from './data.mjs';
import { DESK, enter, until } from './desk.mjs';

/** @type {import('../journey.js').Journey[]} */
export default [
  {
    name: 'console: a webhook is made and tested; its log shows what was sent and answered, and it is replayed',
    window: DESK,
    async run({ page }) {
      const shop = await receiver();
      try {
        await enter(page, 'admin', '/console/webhooks');
        await page.getByRole('button', { name: 'New webhook' }).click();
        const dialog = page.getByRole('dialog');
        await dialog.getByLabel('Name').fill('the shop');
        await dialog.getByLabel('Address').fill(shop.url);
        await dialog.getByLabel('Events').click();
        await page.locator('.ant-select-item-option[title="win.made"]:visible').click();
        await page.keyboard.press('Escape');
        await dialog.getByRole('button', { name: 'New webhook' }).click();
        assert.match(await page.getByTestId('secret').textContent(), /^wfh_/);
        await dialog.getByRole('button', { name: 'Close', exact: true }).last().click();
        await page.getByRole('link', { name: 'the shop' }).click();

        await page.getByRole('button', { name: 'Test', exact: true }).click();
        await dialog.getByRole('button', { name: 'Test', exact: true }).click();
        await dialog.waitFor({ state: 'detached' });
        await until(() => shop.heard.length, 'the receiver hears of it');
        const refresh = page.getByRole('button', { name: 'Refresh' });
        // By the cell of the status: an id may have the same digits in it.
        const row = (status) =>
          page
            .locator('.ant-table-row')
            .filter({ has: page.getByRole('cell', { name: status, exact: true }) });
        const inLog = (text) =>
          until(async () => {
            await refresh.click();
            return row(text).count();
          }, `${text} is in the log`);
        await inLog('500');
        // What was sent, with its signature, and what was answered.
        await row('500').first().getByRole('button', { name: 'Expand row' }).click();
        const opened = page.locator('.ant-table-expanded-row').first();
        await opened.getByText('windfall-signature', { exact: false }).waitFor();
        await opened.getByText('webhook.test').waitFor();
        await opened.getByText('not today').waitFor();

        // It is tried again by itself, and taken once the receiver is well.
        shop.recover();
        await inLog('200');
        const before = shop.heard.length;
        await row('200').first().getByRole('button', { name: 'Replay' }).click();
        await dialog.getByRole('button', { name: 'Replay' }).click();
        await dialog.waitFor({ state: 'detached' });
        await until(() => shop.heard.length > before, 'it is sent once more');
        assert.equal(new Set(shop.heard).size, 1, 'under the same delivery id');
        await until(async () => {
          await refresh.click();
          return (await row('200').count()) > 1;
        }, 'both are in the log');
      } finally {
        shop.stop();
      }
    },
  },
];
