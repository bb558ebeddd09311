// Codes in, dead letters out, keys once: what operators and admins do all day.
import assert from 'node:assert/strict';
import { serious, still } from '../axe.mjs';
import { openWindow } from '../browser.mjs';
import { becomes } from '../patience.mjs';
import { deadLetter } from './dead.mjs';
import { client, DESK, enter, until } from './desk.mjs';

/** @type {import('../journey.js').Journey[]} */
export default [
  {
    name: 'console: codes are imported with progress, and once',
    window: DESK,
    async run({ page }) {
      await enter(page, 'operator', '/console/codes');
      await page.getByRole('button', { name: 'New pool' }).click();
      await page.getByRole('dialog').getByLabel('Name').fill('coffee');
      await page.getByRole('dialog').getByRole('button', { name: 'New pool' }).click();
      const row = page.locator('.ant-table-row', { hasText: 'coffee' });
      await row.getByRole('button', { name: 'Import' }).click();
      await page
        .locator('input[type=file]')
        .last()
        .setInputFiles({
          name: 'codes.csv',
          mimeType: 'text/csv',
          buffer: Buffer.from(
            `code\n${Array.from({ length: 500 }, (_, n) => `CUP-${n}`).join('\n')}\nCUP-1\n`,
          ),
        });
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('button', { name: 'Check' }).click();
      await dialog.getByText('500 new, 0 there already, 1 twice, 0 no codes').waitFor();
      await dialog.getByRole('button', { name: 'Import 500 new codes' }).click();
      await dialog.getByText('500 added, 0 were there already').waitFor();
      await dialog.getByLabel('Codes, one per line').fill('CUP-1\nCUP-501');
      await dialog.getByRole('button', { name: 'Check' }).click();
      await dialog.getByText('1 new, 1 there already').waitFor();
      await dialog.getByRole('button', { name: 'Import 1 new code' }).click();
      await dialog.getByText('1 added, 1 were there already').waitFor();
      await dialog.getByRole('button', { name: 'Close', exact: true }).last().click();
      await row.getByText('501').first().waitFor();
    },
  },
  {
    name: 'console: codes: a sheet with a heading is previewed, a bad line is left out, a code is retired',
    window: DESK,
    async run({ page, url }) {
      const operator = await client(url, 'operator');
      const { id } = await operator.post('/code-pools', { name: 'saucer' });
      await enter(page, 'operator', '/console/codes?name=saucer');
      const row = page.locator('.ant-table-row', { hasText: 'saucer' });
      await row.getByRole('button', { name: 'Import' }).click();
      const dialog = page.getByRole('dialog');
      const sheet = 'batch,兑换码,until\n1,SAU-1,2027\n1,SAU-2,2027\n1,,2027\n1,SAU-1,2027\n1,SAU-3,2027\n';
      const buffer = Buffer.from(sheet);
      await page
        .locator('input[type=file]')
        .last()
        .setInputFiles({ name: 'c.csv', mimeType: 'text/csv', buffer });
      await dialog.getByRole('columnheader', { name: '兑换码 ✓' }).waitFor();
      assert.equal(await dialog.getByLabel('The first line is a heading').isChecked(), true);
      await dialog.getByRole('button', { name: 'Check' }).click();
      await dialog.getByText('3 new, 0 there already, 1 twice, 1 no codes').waitFor();
      await dialog.getByText('No codes in these lines: 4').waitFor();
      assert.equal((await operator.get(`/code-pools/${id}`)).imported, 0, 'nothing is written yet');
      const go = dialog.getByRole('button', { name: 'Import 3 new codes' });
      assert.equal(await go.isDisabled(), true);
      await dialog.getByLabel('Leave them out').check();
      assert.deepEqual(await serious(page), []);
      await go.click();
      await dialog.getByText('3 added').waitFor();
      await dialog.getByRole('button', { name: 'Close', exact: true }).last().click();
      await row.getByRole('button', { name: 'Retire codes' }).click();
      await dialog.getByLabel('Codes, one per line').fill('SAU-2');
      await dialog.getByLabel('Reason').fill('printed wrong');
      await dialog.getByRole('button', { name: 'Retire codes' }).click();
      await dialog.getByText('1 retired, 0 given already').waitFor();
      assert.equal((await operator.get(`/code-pools/${id}`)).left, 2);
    },
  },
  {
    name: 'console: a dead letter tells its story and is put back',
    window: DESK,
    async run({ page, url }) {
      const letter = await deadLetter(url);
      await enter(page, 'operator', '/console/dead-letters');
      const row = page.locator(`.ant-table-row[data-row-key="${letter.id}"]`);
      await row.getByRole('button', { name: 'Expand row' }).click();
      await page.getByRole('heading', { name: 'What happened' }).waitFor();
      await row.getByRole('button', { name: 'Redrive' }).click();
      // Its cause is taken away first: the activity is open again.
      const operator = await client(url, 'operator');
      await operator.post(`/activities/${letter.activity}/reopen`, { reason: 'another round' });
      await until(
        async () => (await operator.get(`/activities/${letter.activity}`)).state === 'running',
        'it runs again',
      );
      await page.getByRole('dialog').getByLabel('Reason').fill('the activity is open again');
      await page.getByRole('dialog').getByRole('button', { name: 'Redrive' }).click();
      await row.waitFor({ state: 'detached' });
      await page.goto(`/console/fulfilment?activity=${letter.activity}`);
      await until(async () => {
        await page.getByRole('button', { name: 'Refresh' }).click();
        return page.locator('.ant-table-row', { hasText: 'Given' }).count();
      }, 'the prize is given');
    },
  },
  {
    name: 'console: the secret of a key is shown once',
    window: DESK,
    async run({ page }) {
      await enter(page, 'admin', '/console/keys');
      await page.getByRole('button', { name: 'New key' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Name').fill('warehouse');
      await dialog.getByLabel('Scopes').click();
      await page
        .locator('.ant-select-dropdown:visible .ant-select-item-option', { hasText: 'inventory' })
        .click();
      await page.keyboard.press('Escape');
      await dialog.getByRole('button', { name: 'New key' }).click();
      assert.match(await page.getByTestId('secret').textContent(), /^wfk_/);
      await page.keyboard.press('Escape');
      await still(page);
      assert.equal(await page.getByTestId('secret').isVisible(), true, 'it does not vanish with Escape');
      await dialog.getByRole('button', { name: 'Close', exact: true }).last().click();
      await page.locator('.ant-table-row', { hasText: 'warehouse' }).waitFor();
      await page.reload();
      await page.locator('.ant-table-row', { hasText: 'warehouse' }).waitFor();
      await becomes(() => page.getByTestId('secret').count(), 0);
    },
  },
  {
    name: 'console: points are adjusted by one person, and many by two',
    window: DESK,
    async run({ page, browser, url }) {
      const player = await client(url, 'player');
      const { id } = await player.get('/me');
      await enter(page, 'operator', `/console/users/${id}`);
      await page.getByRole('tab', { name: 'Points' }).click();
      const adjust = async (points) => {
        await page.getByRole('button', { name: 'Adjust points' }).click();
        const dialog = page.getByRole('dialog');
        await dialog.getByLabel('Points').fill(points);
        await dialog.getByLabel('Reason').fill('a lost parcel');
        await dialog.getByRole('button', { name: 'Adjust points' }).click();
        return dialog;
      };
      const done = await adjust('120');
      await done.getByText(/Done\. The balance is/).waitFor();
      await done.getByRole('button', { name: 'Close', exact: true }).last().click();
      await page.locator('.ant-table-row', { hasText: 'a lost parcel' }).first().waitFor();
      const asked = await adjust('20000');
      await asked.getByText('a second person has to approve it').waitFor();
      const other = await openWindow(browser, url, DESK);
      await enter(other.page, 'admin', '/console/approvals?state=waiting');
      const row = other.page.locator('.ant-table-row', { hasText: '+20,000' });
      await row.getByRole('button', { name: 'Approve' }).click();
      await other.page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
      await row.waitFor({ state: 'detached' });
      assert.deepEqual(other.errors, []);
      await other.context.close();
    },
  },
];
