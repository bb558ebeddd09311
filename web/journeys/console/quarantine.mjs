// After a restore: what might go out twice waits, the console says so, and somebody decides about each.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serious } from '../axe.mjs';
import { openWindow } from '../browser.mjs';
import { startServer } from '../server.mjs';
import { receiver } from './data.mjs';
import { client, DESK, enter, until } from './desk.mjs';

/** A webhook with so many messages that its receiver did not take, and a pool of codes. */
async function unsent(url, shop) {
  const [admin, operator] = await Promise.all(['admin', 'operator'].map((who) => client(url, who)));
  const hook = await admin.post('/webhooks', { name: 'restored', url: shop.url, kinds: ['webhook.test'] });
  for (const _ of [1, 2, 3]) await admin.post(`/webhooks/${hook.id}/test`, {});
  await until(() => new Set(shop.heard).size === 3, 'the receiver has taken nothing');
  const pool = await operator.post('/code-pools', { name: 'restored codes', low_below: 0 });
  await operator.list(`/code-pools/${pool.id}/codes`, ['TEA-1', 'TEA-2', 'TEA-3']);
  return { hook: hook.id, pool: pool.id };
}

/** @param {import('playwright-core').Page} page */
async function decide(page, row, label, fields = {}) {
  await row.getByRole('button', { name: label, exact: true }).click();
  const dialog = page.getByRole('dialog');
  for (const [name, value] of Object.entries({ Reason: 'held against their log', ...fields })) {
    await dialog.getByLabel(name).fill(value);
  }
  await dialog.getByRole('button', { name: label, exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
}

/** @type {import('../journey.js').Journey[]} */
export default [
  {
    name: 'console: what a restored installation might send twice waits until somebody has looked at it',
    window: DESK,
    async run({ browser, url, server }) {
      const shop = await receiver();
      const folder = mkdtempSync(join(tmpdir(), 'windfall-restored-'));
      let restored;
      let second;
      try {
        const { hook, pool } = await unsent(url, shop);
        const backup = server.run(['backup', '--with-key', '--into', join(folder, 'backups')]);
        server.run(['restore', backup, '--into', join(folder, 'data')]);
        restored = await startServer({ folder: join(folder, 'data') });
        second = await openWindow(browser, restored.url, DESK);
        const { page } = second;
        await enter(page, 'admin');
        const waits = page.locator('li', {
          hasText: 'messages and code pools wait for a look after a restore',
        });
        await waits.getByRole('link', { name: 'Look', exact: true }).click();
        const lane = page.locator(`tr[data-lane="hook:${hook}"]`);
        await lane.getByText('3', { exact: true }).waitFor();
        assert.deepEqual(await serious(page), []);

        // One is given up, one is sent, the rest goes together.
        const messages = page.locator('.ant-table-row', { hasText: 'Webhook restored' });
        await messages.nth(2).waitFor();
        await decide(page, messages.first(), 'Give up');
        await lane.getByText('2', { exact: true }).waitFor();
        shop.recover();
        const before = shop.heard.length;
        await decide(page, messages.first(), 'Send');
        await until(() => shop.heard.length > before, 'the message arrives');
        await lane.getByText('1', { exact: true }).waitFor();
        await decide(page, lane, 'Send all');
        await lane.waitFor({ state: 'detached' });
        await until(() => shop.heard.length > before + 1, 'the last one arrives');

        const codes = page.locator(`tr[data-pool="${pool}"]`);
        await decide(page, codes, 'Let it give codes', { 'Codes to leave out': '2' });
        await codes.waitFor({ state: 'detached' });
        await page.goto('/console/codes');
        await page.locator('.ant-table-row', { hasText: 'restored codes' }).getByText('2').first().waitFor();
        await page.goto('/console/dead-letters');
        await page.locator('.ant-table-row', { hasText: 'discarded after a restore' }).waitFor();
        assert.deepEqual(second.errors, []);
      } finally {
        await second?.context.close();
        await restored?.stop();
        shop.stop();
        rmSync(folder, { recursive: true, force: true });
      }
    },
  },
];
