// Playing: sign in, draw until something is won, claim it; every game lands where the server said.

import assert from 'node:assert/strict';
import { NAMES } from './names.mjs';
import { becomes } from './patience.mjs';
import { activityNamed, fillAddress, signInByCode } from './steps.mjs';

/**
 * Which slot is under the pointer, read from the page itself: the wheel's own transform.
 *
 * @param {import('playwright-core').Page} page
 */
async function slotOnWheel(page, slots) {
  const matrix = await page.getByTestId('wheel').evaluate((disc) => getComputedStyle(disc).transform);
  const [a, b] = matrix.match(/-?[\d.]+(e-?\d+)?/g).map(Number);
  const angle = (Math.atan2(b, a) * 180) / Math.PI;
  return ((Math.round(-angle / (360 / slots)) % slots) + slots) % slots;
}

/**
 * Presses, and waits for both the server's answer and the dialog.
 *
 * @param {import('playwright-core').Page} page
 */
async function drawWith(page, button) {
  const answered = page.waitForResponse(
    (answer) => answer.url().endsWith('/draws') && answer.request().method() === 'POST',
  );
  await button.click();
  const told = await (await answered).json();
  await page.getByRole('dialog').waitFor();
  return told;
}

/** @param {import('playwright-core').Page} page */
async function close(page) {
  await page.getByRole('dialog').getByRole('button', { name: NAMES.close }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
}

/**
 * Draws until a prize comes; the wheel of the demo gives one in two or three.
 *
 * @param {import('playwright-core').Page} page
 * @param {import('playwright-core').Locator} button
 * @param {(told: any) => unknown} [seen]
 */
async function drawUntilWon(page, button, seen = () => {}) {
  for (let draws = 0; draws < 25; draws += 1) {
    const told = await drawWith(page, button);
    await seen(told);
    if (told.draws[0].prize) return told;
    await close(page);
  }
  throw new Error('nothing won in 25 draws');
}

/**
 * Begins to write down when each frame comes, and where the wheel is then.
 *
 * @param {import('playwright-core').Page} page
 */
async function watchFrames(page) {
  await page.evaluate(() => {
    const seen = { at: [], places: [], long: 0, stop: false };
    window.frames_seen = seen;
    new PerformanceObserver((list) => {
      seen.long += list.getEntries().length;
    }).observe({ type: 'longtask' });
    /** @type {HTMLElement} */
    const disc = document.querySelector('[data-testid=wheel]');
    const look = (now) => {
      if (seen.stop) return;
      seen.at.push(now);
      seen.places.push(disc.style.transform);
      requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
}

/**
 * How the frames came since: how many, in how many of them the wheel moved, and the time between two of them.
 *
 * @param {import('playwright-core').Page} page
 */
async function framesSeen(page) {
  const { at, places, long } = await page.evaluate(() => {
    const seen = window.frames_seen;
    seen.stop = true;
    return { at: seen.at, places: seen.places, long: seen.long };
  });
  const moved = places.slice(1).map((place, n) => place !== places[n]);
  const spin = moved.slice(moved.indexOf(true), moved.lastIndexOf(true) + 1);
  const gaps = at.slice(1).map((now, n) => now - at[n]);
  gaps.sort((a, b) => a - b);
  const share = (part) => gaps[Math.min(gaps.length - 1, Math.floor(gaps.length * part))].toFixed(1);
  return { frames: at.length, spin, long, median: share(0.5), most: share(0.95), longest: share(1) };
}

/** @type {import('./journey.js').Journey[]} */
export default [
  {
    name: 'sign in by code, spin until a win, see it among the wins',
    async run({ page, url }) {
      const wheel = await activityNamed(url, 'Spring wheel');
      await page.goto(`/activities/${wheel}`);
      await page.getByRole('link', { name: 'Sign in to draw' }).waitFor();
      await signInByCode(page, '13900001001');
      await page.goto(`/activities/${wheel}`);
      const hub = page.locator('.hub');
      await page.locator('.hub:enabled').waitFor();
      const before = Number((await page.getByTestId('chances').textContent()).match(/\d+/)[0]);
      let draws = 0;
      const told = await drawUntilWon(page, hub, async (answer) => {
        draws += 1;
        assert.equal(
          await slotOnWheel(page, 9),
          answer.draws[0].slot,
          'the wheel stops on the slot of the answer',
        );
      });
      const { prize } = told.draws[0];
      await page
        .getByRole('dialog')
        .filter({ hasText: prize.name_en ?? prize.name })
        .waitFor();
      await page.getByRole('link', { name: 'See my wins' }).click();
      await page
        .locator('.win', { hasText: prize.name_en ?? prize.name })
        .first()
        .waitFor();
      await page.goto(`/activities/${wheel}`);
      await page.getByTestId('chances').getByText(/left/).waitFor();
      const after = Number((await page.getByTestId('chances').textContent()).match(/\d+/)[0]);
      const granted = prize.kind === 'chances' ? 1 : 0;
      assert.ok(
        after >= before - draws && after <= before - draws + granted,
        `${before} - ${draws} = ${after}`,
      );
    },
  },
  {
    name: 'on a scrolled phone: the result is on the screen, nothing gives it away before, and the focus comes back',
    window: { viewport: { width: 360, height: 560 } },
    async run({ page, url }) {
      const wheel = await activityNamed(url, 'Spring wheel');
      await signInByCode(page, '13900001009');
      await page.goto(`/activities/${wheel}`);
      const hub = page.locator('.hub:enabled');
      await hub.waitFor();
      await page.locator('.marquee[data-state=live]').waitFor();
      await page.evaluate(() => {
        window.news_before = 0;
        new MutationObserver(() => {
          if (!document.querySelector('dialog')) window.news_before += 1;
        }).observe(document.querySelector('.marquee'), { childList: true, subtree: true });
      });
      await page.evaluate(() => scrollTo(0, 200));
      await drawUntilWon(page, hub, async () => {
        const { top, bottom, scrolled, high } = await page.getByRole('dialog').evaluate((dialog) => {
          const { top, bottom } = dialog.getBoundingClientRect();
          return { top, bottom, scrolled: scrollY, high: innerHeight };
        });
        assert.ok(scrolled > 100, `scrolled by ${scrolled}`);
        assert.ok(top >= 0 && bottom <= high, `from ${top} to ${bottom} on a screen of ${high}`);
        assert.equal(await page.evaluate(() => window.news_before), 0, 'no news while the wheel turns');
      });
      await close(page);
      assert.equal(await page.evaluate(() => document.activeElement?.className), 'hub');
    },
  },
  {
    name: 'open blind boxes, ten at once, and claim a parcel with a new address',
    async run({ page, context, url }) {
      const box = await activityNamed(url, 'Blind box');
      // A third of the boxes hold a parcel. Whoever finds none in twenty is followed by somebody else.
      const parcel = async () => {
        for (const phone of ['13900001102', '13900001202', '13900001302', '13900001402']) {
          await context.clearCookies();
          await signInByCode(page, phone);
          await page.goto(`/activities/${box}`);
          for (let times = 0; times < 2; times += 1) {
            const told = await drawWith(page, page.getByRole('button', { name: 'Ten at once' }));
            assert.equal(told.draws.length, 10);
            await page.getByRole('button', { name: 'Show all' }).click();
            await page.locator('.ten-card.open').nth(9).waitFor();
            await close(page);
            const won = told.draws.find((draw) => draw.prize?.kind === 'parcel');
            if (won) return won.prize;
          }
        }
        throw new Error('no parcel in eighty boxes');
      };
      const prize = await parcel();
      await page.goto('/me/wins');
      await page
        .getByRole('button', { name: `Claim ${prize.name_en ?? prize.name}` })
        .first()
        .click();
      await fillAddress(page, '13900001002', '世纪大道 1 号');
      await page.getByRole('dialog').locator('button[type=submit]').click();
      await page.locator('.giving.to_ship').first().waitFor();
    },
  },
  {
    name: 'the grid, the reels and the box land on the slot of the answer',
    async run({ page, url }) {
      const grid = await activityNamed(url, 'Nine-grid');
      await signInByCode(page, '13900001003');
      await page.goto(`/activities/${grid}`);
      const told = await drawWith(page, page.locator('.grid-press'));
      await becomes(() => page.locator('.cell.lit').getAttribute('data-slot'), String(told.draws[0].slot));
      await close(page);
      const wheel = await activityNamed(url, 'Spring wheel');
      await page.goto(`/activities/${wheel}`);
      await page.getByLabel('Reels').check();
      const reels = await drawWith(page, page.locator('.lever'));
      const middle = await page
        .locator('.strip')
        .nth(1)
        .evaluate((strip) => new DOMMatrix(getComputedStyle(strip).transform).f);
      assert.equal(Math.round(-middle / 88 + 1) % 9, reels.draws[0].slot);
      await close(page);
      await page.getByLabel('Blind box').check();
      await drawWith(page, page.locator('.lever'));
    },
  },
  {
    name: 'the wheel turns frame by frame: how fast is written down, not judged',
    async run({ page, url }) {
      const wheel = await activityNamed(url, 'Spring wheel');
      await signInByCode(page, '13900001008');
      await page.goto(`/activities/${wheel}`);
      await page.locator('.hub:enabled').waitFor();
      await watchFrames(page);
      await drawWith(page, page.locator('.hub'));
      const { frames, spin, long, median, most, longest } = await framesSeen(page);
      // What does not depend on the machine: from the first movement to the last, frames show the wheel elsewhere each.
      const moved = spin.filter(Boolean).length;
      assert.ok(moved > 0 && moved >= 0.8 * spin.length, `it moved in ${moved} of ${spin.length} frames`);
      console.log(
        `        a spin: ${frames} frames, ${median} ms apart (median), ${most} ms (95 %), ${longest} ms at most; ${long} tasks of more than 50 ms`,
      );
    },
  },
  {
    name: 'with less motion the result comes at once',
    window: { reducedMotion: 'reduce' },
    async run({ page, url }) {
      const wheel = await activityNamed(url, 'Spring wheel');
      await signInByCode(page, '13900001004');
      await page.goto(`/activities/${wheel}`);
      await page.locator('.hub:enabled').waitFor();
      const told = await drawWith(page, page.locator('.hub'));
      assert.equal(await slotOnWheel(page, 9), told.draws[0].slot);
    },
  },
  {
    name: 'a draw whose answer is lost is asked for again and drawn once',
    allow: ['net::ERR', 'Failed to load resource'],
    async run({ page, url }) {
      const wheel = await activityNamed(url, 'Spring wheel');
      await signInByCode(page, '13900001005');
      await page.goto(`/activities/${wheel}`);
      await page.locator('.hub:enabled').waitFor();
      let lost = 0;
      const ids = new Set();
      await page.route('**/draws', async (route) => {
        if (route.request().method() !== 'POST') return route.continue();
        ids.add(route.request().postDataJSON().id);
        if (lost > 0) {
          // What the page says meanwhile is looked at first.
          await told;
          return route.continue();
        }
        lost += 1;
        // Carried out by the server; its answer never arrives.
        await route.fetch();
        return route.abort();
      });
      const told = page.getByText('Your draw is retried by itself').waitFor();
      await page.locator('.hub').click();
      await told;
      await page.getByRole('dialog').waitFor();
      assert.equal(lost, 1);
      assert.equal(ids.size, 1, 'both requests have the same id');
      await page.goto(`/activities/${wheel}/draws`);
      await page.locator('.rows .row').first().waitFor();
      await becomes(() => page.locator('.rows .row').count(), 1);
    },
  },
  {
    name: 'check a draw in the browser, step by step',
    async run({ page, url }) {
      const wheel = await activityNamed(url, 'Spring wheel');
      await signInByCode(page, '13900001006');
      await page.goto(`/activities/${wheel}`);
      await page.locator('.hub:enabled').waitFor();
      await drawWith(page, page.getByRole('button', { name: 'Ten at once' }));
      await page.getByRole('link', { name: 'Check this draw' }).click();
      // The secret is sealed until the activity has ended: everything else is right.
      await page.locator('[data-verdict=open]').waitFor();
      await becomes(() => page.locator('.step.bad').count(), 0);
      await becomes(() => page.locator('.step.good').count(), 4);
      await becomes(() => page.locator('.step.open').count(), 1);
      await page.getByText('Show the numbers').first().click();
    },
  },
  {
    name: 'enter a raffle',
    async run({ page, url }) {
      const raffle = await activityNamed(url, 'Year-end raffle');
      await signInByCode(page, '13900001007');
      await page.goto(`/activities/${raffle}`);
      // A double click is one wish.
      await page.getByRole('button', { name: 'Enter' }).dblclick();
      await page.getByText('You have 1 entry').waitFor();
      await page.getByLabel('How many entries').selectOption('3');
      await page.getByRole('button', { name: 'Enter' }).click();
      await page.getByText('You have 4 entries').waitFor();
      await page.getByText('One more entry possible').waitFor();
    },
  },
];
