// My wins, and the winners that everybody sees.

import assert from 'node:assert/strict';
import { publishActivity } from './activity.mjs';
import { NAMES } from './names.mjs';
import { becomes } from './patience.mjs';
import { signInByCode } from './steps.mjs';

/** Every draw wins this. */
const sure = (name, prize) => ({
  name,
  whole: 10,
  chances: { total: 5 },
  prizes: [{ odds: 10, ...prize }],
});

/**
 * Draws once and closes what it says.
 *
 * @param {import('playwright-core').Page} page
 */
async function drawOnce(page, id) {
  await page.goto(`/activities/${id}`);
  await page.getByRole('button', { name: 'Draw', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: NAMES.close }).click();
}

/** @type {import('./journey.js').Journey[]} */
export default [
  {
    name: 'what waits for me is counted on every page, on top of my wins, and can be picked out',
    window: { reducedMotion: 'reduce' },
    async run({ page, url }) {
      const [parcel, points] = await Promise.all([
        publishActivity(url, sure('A parcel for sure', { name: 'Kite', units: 9, kind: 'parcel' })),
        publishActivity(
          url,
          sure('Points for sure', { name: 'Some points', unlimited: true, kind: 'points', amount: 25 }),
        ),
      ]);
      await signInByCode(page, '13900018201');
      await drawOnce(page, parcel);
      await drawOnce(page, points);
      const mine = page.getByRole('list', { name: 'What I have' });
      // Points come a moment after the win: whoever looks again has them.
      await becomes(async () => {
        await page.goto('/');
        await mine.getByRole('link', { name: '1 prize to claim' }).waitFor();
        await mine.getByRole('link', { name: /points$/ }).waitFor();
        return mine.getByRole('link', { name: '25 points' }).count();
      }, 1);
      await page.getByRole('link', { name: /A parcel for sure.*4 chances/ }).waitFor();
      await page.getByRole('link', { name: 'Wins 1 to claim' }).click();
      const wins = page.getByRole('main').getByRole('listitem');
      await becomes(() => wins.count(), 2);
      assert.match(await wins.first().textContent(), /Kite/, 'what can be claimed is on top');
      await wins.last().getByText('+25 points').waitFor();
      await page.getByRole('radio', { name: 'Done' }).check();
      await becomes(() => wins.count(), 1);
      await page.getByRole('radio', { name: 'On the way' }).check();
      await page.getByText('None of these.').waitFor();
    },
  },
  {
    name: 'on a small phone the keyboard never gets lost behind the bars, and the stage never scrolls inside',
    window: { viewport: { width: 320, height: 480 }, reducedMotion: 'reduce' },
    async run({ page, url }) {
      const id = await publishActivity(
        url,
        sure('A small stage', { name: 'Kite', units: 9, kind: 'parcel' }),
      );
      await signInByCode(page, '13900018204');
      await page.goto(`/activities/${id}`);
      await page.getByRole('button', { name: 'Draw', exact: true }).waitFor();
      await page.getByRole('main').focus();
      const last = page.getByRole('main').getByRole('link', { name: 'My wins' });
      for (let steps = 0; steps < 30; steps += 1) {
        await page.keyboard.press('Tab');
        const { top, bottom, scrolled } = await page.evaluate(() => {
          const { top, bottom } = document.activeElement.getBoundingClientRect();
          return { top, bottom, scrolled: document.querySelector('section.stage').scrollTop };
        });
        const bar = await page.getByRole('navigation').boundingBox();
        assert.ok(top >= 0 && bottom <= bar.y, `from ${top} to ${bottom}, and the bar begins at ${bar.y}`);
        assert.equal(scrolled, 0);
        if (await last.evaluate((link) => link === document.activeElement)) return;
      }
      throw new Error('thirty steps did not reach the last link');
    },
  },
  {
    name: 'winners who chose no name are players with numbers of their own, not one row of stars',
    window: { reducedMotion: 'reduce' },
    async run({ page, context, url }) {
      const id = await publishActivity(
        url,
        sure('Two winners', { name: 'Lantern', units: 9, kind: 'parcel' }),
      );
      for (const phone of ['13900018202', '13900018203']) {
        await context.clearCookies();
        await signInByCode(page, phone);
        await drawOnce(page, id);
      }
      const newest = page.getByRole('region', { name: 'Latest winners' });
      const names = async () => {
        const rows = await newest.getByRole('listitem').allTextContents();
        return new Set(rows.map((row) => row.match(/Player \d{4}/)?.[0]));
      };
      await becomes(async () => (await names()).size, 2);
      assert.ok(!(await names()).has(undefined));
    },
  },
];
