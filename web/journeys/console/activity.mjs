// An activity from nothing to its end, by two people.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { openWindow } from '../browser.mjs';
import { becomes } from '../patience.mjs';
import { binary } from '../server.mjs';
import { choose, client, DESK, enter, until } from './desk.mjs';

const NAME = 'Lantern festival';

/** A picture of one pixel. */
const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** A moment as a `datetime-local` input takes it, in UTC. */
const wall = (ms) => new Date(ms).toISOString().slice(0, 19);

/**
 * @param {import('playwright-core').Page} page
 * @param {{ name: string, picture: string, kind?: string, amount?: string, units?: string, cost?: string }} prize
 */
async function addPrize(page, { name, picture, kind, amount, units, cost }) {
  await page.getByRole('button', { name: 'Add a prize' }).click();
  const panel = page.locator('section.panel').last();
  await panel.getByLabel('Name', { exact: true }).fill(name);
  await panel.getByLabel('Picture (address or emoji)').fill(picture);
  if (kind) {
    await panel.getByLabel('Kind').click();
    await page.locator('.ant-select-dropdown:visible').getByText(kind, { exact: true }).click();
  }
  if (amount) await panel.getByLabel('How many').fill(amount);
  if (units) await panel.getByLabel('Units', { exact: true }).fill(units);
  else await panel.getByLabel('As many as are won').check();
  if (cost) await panel.getByLabel('Cost of one').fill(cost);
}

/** @type {import('../journey.js').Journey[]} */
export default [
  {
    name: 'console: an activity from nothing: written, simulated, submitted, approved by another, run and closed',
    window: { ...DESK, timezoneId: 'UTC' },
    // Submitting what cannot work is answered with 422, which browsers write down.
    allow: ['422'],
    async run({ page, browser, url }) {
      await enter(page, 'operator', '/console/activities');
      await page.getByRole('button', { name: 'New activity' }).click();
      await page.getByRole('heading', { name: 'New activity' }).waitFor();
      await page.getByLabel('Name', { exact: true }).fill(NAME);
      await page.getByLabel('Description', { exact: true }).fill('Guess the riddles, win a lantern.');
      await page.getByLabel('In all').fill('5');
      await page.getByLabel('Per day').fill('5');
      await choose(page, 'Game', 'Blind box');

      // The browser's Back asks first, and no is an answer.
      const asked = page.waitForEvent('dialog').then((question) => question.dismiss());
      await page.evaluate(() => history.back());
      await asked;
      await page.waitForURL(/activities\/new$/);
      await becomes(() => page.getByLabel('Name', { exact: true }).inputValue(), NAME);

      // Nothing to win yet: that is said, at its step.
      await page.getByRole('button', { name: 'Submit for review' }).click();
      await page.getByRole('alert').getByText('Prizes', { exact: true }).first().waitFor();

      await addPrize(page, { name: 'Lantern', picture: '🏮', units: '3', cost: '20' });
      await addPrize(page, { name: 'Points', picture: '✨', kind: 'Points', amount: '10' });
      // Mended: what was wrong is not said any more.
      await becomes(() => page.locator('.flaws').count(), 0);

      await page.getByRole('button', { name: 'Odds' }).click();
      await page.getByRole('spinbutton', { name: 'Odds of Lantern' }).fill('300000');
      await page.getByRole('textbox', { name: 'Odds of Points (Share)' }).fill('50%');
      await page.keyboard.press('Enter');
      const rest = page.getByRole('spinbutton', { name: 'Parts of no prize' });
      await becomes(() => rest.inputValue(), '200000');
      // More than is left: as much as there is.
      await page.getByRole('spinbutton', { name: 'Odds of Lantern' }).fill('999999');
      await page.keyboard.press('Tab');
      await becomes(() => rest.inputValue(), '0');
      // Lock one, scale the other by "no prize".
      await page.locator('tr', { hasText: 'Lantern' }).getByRole('button', { name: 'Free' }).click();
      await rest.fill('300000');
      await page.keyboard.press('Tab');
      await becomes(() => page.getByRole('spinbutton', { name: 'Odds of Lantern' }).inputValue(), '500000');
      await becomes(() => page.getByRole('spinbutton', { name: 'Odds of Points' }).inputValue(), '200000');

      await page.getByRole('button', { name: 'Preview and simulate' }).click();
      // What players see is their own game: the box, which the operator chose.
      await page.locator('.box-game').waitFor();
      await page.getByRole('button', { name: 'Try', exact: true }).waitFor();
      await page.getByLabel('Draws', { exact: true }).fill('2000');
      await page.getByLabel('Users', { exact: true }).fill('500');
      await page.getByRole('button', { name: 'Simulate', exact: true }).click();
      await page.locator('.tile', { hasText: 'p of chi-square' }).waitFor();
      await page
        .locator('tr', { hasText: 'Lantern' })
        .getByText(/no units left \([\d,]+ draws/)
        .waitFor();
      await page.locator('.chart canvas').first().waitFor();

      // From a moment ago on, so that it starts as soon as it is approved.
      await page.getByRole('button', { name: 'Basics' }).click();
      const now = (await (await fetch(`${url}/api/v1/time`)).json()).now_ms;
      await page.getByLabel('From').fill(wall(now - 60_000));
      await page.getByRole('button', { name: 'Save draft' }).click();
      await page.waitForURL(/\/activities\/\d+\/edit/);
      const id = /activities\/(\d+)/.exec(page.url())[1];
      await page.getByRole('button', { name: 'Submit for review' }).click();
      await page.waitForURL(/tab=review/);
      await page.getByText('This is your own work: another person has to decide it.').waitFor();

      const other = await openWindow(browser, url, DESK);
      await enter(other.page, 'reviewer', '/console/approvals');
      await other.page.getByRole('link', { name: NAME }).click();
      await other.page.getByRole('button', { name: 'Approve' }).click();
      await other.page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
      // The clock starts it, and the page goes on by itself.
      await other.page.getByRole('heading', { name: /Running/ }).waitFor();
      assert.deepEqual(other.errors, []);
      await other.context.close();

      await until(
        async () => (await (await client(url, 'operator')).get(`/activities/${id}`)).state === 'running',
        'the activity runs',
      );
      await page.goto(`/console/activities/${id}`);
      await page.getByText('Live', { exact: true }).waitFor();
      const player = await client(url, 'player');
      for (let n = 0; n < 5; n += 1) {
        await player.post(`/play/activities/${id}/draws`, { id: `lantern-${n}`, draws: 1 });
      }
      // The stream brings it, nobody reloads.
      await page.locator('.tile', { hasText: /^Draws5/ }).waitFor();
      // Its first hours are told by the minute, and what it refused by its cause.
      await page.getByRole('img', { name: 'Draws by minute, first six hours' }).waitFor();
      await page.getByText('By hour', { exact: true }).click();
      await page.getByRole('img', { name: 'Draws by hour' }).waitFor();
      await player.post(`/play/activities/${id}/draws`, { id: 'one-too-many', draws: 1 }).catch(() => {});
      const refusals = page.getByRole('region', { name: 'Refusals by cause' });
      await refusals.getByText('chances_spent', { exact: true }).waitFor();

      await page.getByRole('button', { name: 'Pause' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Pause' }).click();
      await page.getByRole('heading', { name: /Paused/ }).waitFor();
      await page.getByRole('button', { name: 'Resume' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Resume' }).click();
      await page.getByRole('heading', { name: /Running/ }).waitFor();
      await page.getByRole('button', { name: 'End now' }).click();
      await page.getByRole('dialog').getByLabel('Reason').fill('the festival is over');
      await page.getByRole('dialog').getByRole('button', { name: 'End now' }).click();
      await page.getByRole('heading', { name: /Closed/ }).waitFor();
      // What is closed says when it ended, takes no units, and its timeline says who closed it and why.
      await page.locator('dt', { hasText: 'Ended' }).waitFor();
      await becomes(() => page.getByRole('button', { name: 'Restock' }).count(), 0);
      await page.getByRole('tab', { name: 'Timeline' }).click();
      const closed = page.locator('.ant-table-row', { hasText: 'closed it' });
      await closed.getByText('the festival is over').waitFor();
      await page.getByRole('tab', { name: 'Proof' }).click();
      await page.getByRole('link', { name: 'Download the export' }).waitFor();
      // The command works as it is copied, once the secret of the round is out.
      const visitor = await client(url, 'operator');
      await until(
        async () => (await visitor.get(`/activities/${id}/secrets`)).items.every(({ secret }) => secret),
        'the secret is revealed',
      );
      const command = await page.locator('pre', { hasText: 'windfall verify' }).textContent();
      const folder = mkdtempSync(join(tmpdir(), 'windfall-proof-'));
      symlinkSync(resolve(binary), join(folder, 'windfall'));
      const PATH = `${folder}:${process.env.PATH}`;
      execFileSync('sh', ['-c', command], { cwd: folder, env: { ...process.env, PATH }, stdio: 'pipe' });
      rmSync(folder, { recursive: true });
    },
  },
  {
    name: 'console: a prize is copied and has an uploaded picture, and a draft is discarded',
    window: DESK,
    async run({ page, url }) {
      await enter(page, 'operator', '/console/activities/new');
      await page.getByLabel('Name', { exact: true }).fill('Not to be');
      await page.getByRole('button', { name: 'Prizes' }).click();
      await addPrize(page, { name: 'Lantern', picture: '🏮', units: '3' });
      await page.getByTestId('prize-picture-file').setInputFiles({
        name: 'lantern.png',
        mimeType: 'image/png',
        buffer: Buffer.from(PIXEL, 'base64'),
      });
      const picture = page.getByLabel('Picture (address or emoji)');
      await becomes(async () => /\/api\/v1\/pictures\/\d+$/.test(await picture.inputValue()), true);
      await page.getByRole('button', { name: 'Duplicate' }).click();
      await page.getByRole('heading', { name: 'Lantern (copy)' }).waitFor();
      await page.getByRole('button', { name: 'Save draft' }).click();
      await page.waitForURL(/\/activities\/\d+\/edit/);
      const id = /activities\/(\d+)/.exec(page.url())[1];
      const { making } = await (await client(url, 'operator')).get(`/activities/${id}`);
      assert.deepEqual(
        making.form.prizes.map((prize) => [prize.id, prize.name, prize.picture.startsWith('/api/')]),
        [
          [0, 'Lantern', true],
          [1, 'Lantern (copy)', true],
        ],
      );
      await page.goto(`/console/activities/${id}`);
      await page.getByRole('button', { name: 'Discard draft' }).click();
      await page.getByRole('dialog').getByText('This activity was never published.').waitFor();
      await page.getByRole('dialog').getByLabel('Reason').fill('a mistake');
      await page.getByRole('dialog').getByRole('button', { name: 'Discard draft' }).click();
      await page.waitForURL(/console\/activities$/);
      await becomes(() => page.getByRole('link', { name: 'Not to be' }).count(), 0);
    },
  },
  {
    name: 'console: the next version of a running activity, with its differences',
    window: DESK,
    async run({ page, browser, url }) {
      const operator = await client(url, 'operator');
      const wheel = (await operator.get(`/activities?q=${encodeURIComponent('大转盘')}`)).items.at(-1).id;
      await enter(page, 'operator', `/console/activities/${wheel}/edit`);
      await page.getByLabel('Description', { exact: true }).fill('Another text.');
      await page.getByRole('button', { name: 'Submit for review' }).click();
      await page.waitForURL(/tab=review/);
      await page.locator('.diff ins', { hasText: 'Another text.' }).waitFor();
      const other = await openWindow(browser, url, DESK);
      await enter(other.page, 'reviewer', `/console/activities/${wheel}?tab=review`);
      await other.page.getByRole('button', { name: 'Refuse' }).click();
      await other.page.getByRole('dialog').getByLabel('Reason').fill('say more');
      await other.page.getByRole('dialog').getByRole('button', { name: 'Refuse' }).click();
      await other.page.locator('.ant-table-row', { hasText: 'say more' }).waitFor();
      await other.context.close();
    },
  },
  {
    name: 'console: a rule tree is drawn, tried out and saved',
    window: DESK,
    async run({ page }) {
      await enter(page, 'operator', '/console/trees/new');
      await page.getByLabel('Name', { exact: true }).fill('A day or more here');
      await page.getByRole('button', { name: /Allow #2/ }).click();
      await page.getByRole('button', { name: 'Make it a decision' }).click();
      await page.getByLabel('Fact', { exact: true }).fill('vip');
      await choose(page, 'Type', 'Yes or no');
      await choose(page, 'Value', 'Yes');
      await becomes(() => page.locator('.tree-node').count(), 5);
      await page.getByLabel('registered_days_ago (Number)').fill('3');
      await page.getByLabel('vip (Yes or no)').fill('true');
      await page.getByRole('button', { name: 'Run' }).click();
      await page.locator('.arrow.lit').nth(1).waitFor();
      await page.getByRole('button', { name: 'Save' }).click();
      await page.waitForURL(/\/trees\/\d+/);
      await page.getByRole('heading', { name: 'A day or more here' }).waitFor();
    },
  },
];
