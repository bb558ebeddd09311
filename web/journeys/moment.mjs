// The moment of winning: how big it is, what it sounds like, and who is not congratulated.

import assert from 'node:assert/strict';
import { publishActivity } from './activity.mjs';
import { NAMES } from './names.mjs';
import { becomes, until } from './patience.mjs';
import { signInByCode } from './steps.mjs';

/** Nothing at first, and after one miss the rarest prize for certain. */
const RARE = {
  name: 'A rare one',
  chances: { total: 40 },
  prizes: [
    { name: 'Golden teapot', odds: 1, units: 50, kind: 'parcel', picture: '🫖' },
    { name: 'Silver spoon', odds: 1, units: 50, kind: 'parcel', picture: '🥄' },
    { name: 'Bronze bell', odds: 1, units: 50, kind: 'parcel', picture: '🔔' },
  ],
  pity: { prize: 0, misses: 1 },
};

/**
 * Counts the tones that the page plays.
 *
 * @param {import('playwright-core').Page} page
 */
const listen = (page) =>
  page.addInitScript(() => {
    window.tones = 0;
    const start = OscillatorNode.prototype.start;
    OscillatorNode.prototype.start = function (when) {
      window.tones += 1;
      return start.call(this, when);
    };
  });

/**
 * Presses, waits for the dialog of this name.
 *
 * @param {import('playwright-core').Page} page
 */
async function drawFor(page, name) {
  await page.getByRole('button', { name: 'Draw', exact: true }).click();
  const dialog = page.getByRole('dialog', { name });
  await dialog.waitFor();
  return dialog;
}

/** @type {import('./journey.js').Journey[]} */
export default [
  {
    name: 'the rarest prize takes the whole screen, is heard, and is claimed from there',
    async run({ page, url }) {
      const id = await publishActivity(url, RARE);
      await listen(page);
      await signInByCode(page, '13900018001');
      await page.goto(`/activities/${id}`);
      const miss = await drawFor(page, 'No prize this time');
      await miss.getByRole('button', { name: NAMES.close }).click();
      const before = await page.evaluate(() => window.tones);
      assert.ok(before > 4, `pressing, clicking and missing are heard: ${before} tones`);
      const dialog = await drawFor(page, 'The big one is yours!');
      // It grows until it fills the screen.
      await becomes(async () => {
        const { x, y, width, height } = await dialog.boundingBox();
        return [x, y, width, height];
      }, [0, 0, 390, 844]);
      await dialog.getByText('Golden teapot').waitFor();
      await dialog.getByRole('link', { name: 'Claim it' }).click();
      await page.getByRole('button', { name: 'Claim Golden teapot' }).waitFor();
    },
  },
  {
    name: 'sounds are switched off for good, and the rest of a spin is skipped',
    async run({ page, url }) {
      const id = await publishActivity(url, RARE);
      await listen(page);
      await signInByCode(page, '13900018002');
      await page.goto(`/activities/${id}`);
      const sound = page.getByRole('button', { name: 'Sound and vibration' });
      await sound.click();
      assert.equal(await sound.getAttribute('aria-pressed'), 'false');
      await page.reload();
      await sound.waitFor();
      assert.equal(await sound.getAttribute('aria-pressed'), 'false');
      await page.getByRole('button', { name: 'Draw', exact: true }).click();
      await page.getByRole('button', { name: 'Skip' }).click();
      await page.getByRole('dialog', { name: 'No prize this time' }).waitFor();
      assert.equal(await page.evaluate(() => window.tones), 0);
    },
  },
  {
    name: 'a prize that only says thank you is nobody’s win: no paper, no congratulation',
    window: { locale: 'zh-CN' },
    async run({ page, url }) {
      const id = await publishActivity(url, {
        name: 'Thanks to all',
        whole: 10,
        chances: { total: 40 },
        prizes: [{ name: '谢谢参与', odds: 10, unlimited: true }],
        ten: true,
      });
      await signInByCode(page, '13900018003');
      await page.goto(`/activities/${id}`);
      await page.getByRole('button', { name: '抽奖', exact: true }).click();
      const dialog = page.getByRole('dialog', { name: '谢谢参与' });
      await dialog.getByText('差一点点，下次好运。').waitFor();
      assert.equal(await dialog.locator('canvas').count(), 0);
      await dialog.getByRole('button', { name: NAMES.close }).click();
      await page.getByRole('button', { name: '十连抽' }).click();
      await page.getByRole('button', { name: '全部翻开' }).click();
      await page.getByText('十连抽中奖 0 次').last().waitFor();
    },
  },
  {
    name: 'a raffle is seen in the moment it is drawn, and its winner claims from there',
    async run({ page, url, advance }) {
      const id = await publishActivity(url, {
        name: 'A small raffle',
        kind: 'raffle',
        lasts: 600_000,
        chances: { total: 5 },
        prizes: [{ name: 'A week by the lake', units: 1, kind: 'parcel', picture: '🏞️' }],
      });
      await signInByCode(page, '13900018004');
      await page.goto(`/activities/${id}`);
      await page.getByRole('button', { name: 'Enter' }).click();
      await page.getByText('You have 1 entry').waitFor();
      advance(600_000);
      // The page learns of the server's clock when it wakes up.
      await page.evaluate(() => window.dispatchEvent(new Event('online')));
      const dialog = page.getByRole('dialog', { name: 'The big one is yours!' });
      await dialog.getByText('A week by the lake').waitFor();
      await dialog.getByRole('link', { name: 'Claim it' }).click();
      await page.getByRole('button', { name: 'Claim A week by the lake' }).waitFor();
      // Seen once; whoever comes back finds the list of winners.
      await page.goto(`/activities/${id}`);
      await page.getByText('You won: A week by the lake!').waitFor();
      await until(async () => (await page.getByRole('dialog').count()) === 0, 'no second moment');
    },
  },
];
