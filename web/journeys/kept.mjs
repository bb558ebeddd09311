// Nothing is withheld or lost, and chances add up: what is won can be used at once, and what came while nobody looked is
// shown to whoever comes back.

import assert from 'node:assert/strict';
import { publishActivity } from './activity.mjs';
import { NAMES } from './names.mjs';
import { until } from './patience.mjs';
import { activityNamed, asAdmin, signInByCode } from './steps.mjs';

/** Every draw wins another one. */
const AGAIN = {
  name: 'One more for sure',
  whole: 10,
  chances: { total: 1 },
  prizes: [{ name: 'One more', odds: 10, unlimited: true, kind: 'chances', amount: 1 }],
};

/** Nothing is won, until the sixth draw. */
const LATE = {
  name: 'Late luck',
  ten: true,
  chances: { total: 40, day: 30 },
  prizes: [{ name: 'Lantern', odds: 1, units: 50, kind: 'parcel' }],
  pity: { prize: 0, misses: 5 },
};

const draw = { name: 'Draw', exact: true };

/** @type {import('./journey.js').Journey[]} */
export default [
  {
    name: 'a chance that was won can be used at once, also when it was the last one that won it',
    window: { reducedMotion: 'reduce' },
    async run({ page, url }) {
      const id = await publishActivity(url, AGAIN);
      await signInByCode(page, '13900018101');
      await page.goto(`/activities/${id}`);
      await page.getByText('1 chance left', { exact: true }).waitFor();
      await page.getByRole('button', draw).click();
      // The second draw is made from the dialog of the first, with the chance that it brought.
      await page.getByRole('button', { name: 'Draw again' }).click();
      await page.getByRole('dialog').waitFor();
      await page.getByRole('dialog').getByRole('button', { name: NAMES.close }).click();
      await page.getByText('1 bonus chance left').waitFor();
    },
  },
  {
    name: 'a result that came after the page was left is shown to whoever comes back, once',
    async run({ page, context, url }) {
      const wheel = await activityNamed(url, 'Spring wheel');
      await signInByCode(page, '13900018102');
      await page.goto(`/activities/${wheel}`);
      const answered = page.waitForResponse(
        (answer) => answer.url().endsWith('/draws') && answer.request().method() === 'POST',
      );
      await page.getByRole('button', draw).click();
      await answered;
      // Left while the wheel still turns, and closed.
      await page.getByRole('link', { name: 'Home' }).click();
      await page.getByRole('heading', { name: 'Running now' }).waitFor();
      await page.close();
      const later = await context.newPage();
      await later.goto(`/activities/${wheel}`);
      await later.getByRole('dialog').getByRole('link', { name: 'Check this draw' }).waitFor();
      await later.reload();
      await later.getByRole('button', draw).waitFor();
      await until(async () => (await later.getByRole('dialog').count()) === 0, 'it is shown once');
    },
  },
  {
    name: 'a tab that lost its connection, or was opened without one, goes on by itself',
    allow: ['net::ERR', 'Failed to load resource', 'the page did not come'],
    async run({ page, context }) {
      await page.goto('/');
      await page.getByRole('heading', { name: 'Running now' }).waitFor();
      await context.setOffline(true);
      await page.getByRole('link', { name: /Spring wheel/ }).click();
      await page.getByRole('alert').getByText('No connection to the server').waitFor();
      await context.setOffline(false);
      await page.getByRole('link', { name: 'Sign in to draw' }).waitFor();
      // The page itself came from the browser's memory, and nothing else did. Another address: the last one has just been
      // loaded anew, and would wait a minute until it is again.
      let away = true;
      await page.route(/\/(assets\/en-|api\/)/, (route) => (away ? route.abort() : route.continue()));
      await page.goto('/shop');
      await page.getByText('Waiting for the connection').waitFor();
      away = false;
      await page.getByRole('heading', { name: 'Shop' }).waitFor();
    },
  },
  {
    name: 'chances add up, the guaranteed prize comes nearer, ten are followed by ten, and an early end is told',
    window: { reducedMotion: 'reduce' },
    async run({ page, url }) {
      const id = await publishActivity(url, LATE);
      await signInByCode(page, '13900018104');
      const me = await page.evaluate(async () => (await fetch('/api/v1/me')).json());
      await asAdmin(url, `/activities/${id}/grants`, {
        user: me.id,
        rule: 'present',
        period: 'today',
        chances: 2,
        reason: 'a present',
      });
      await page.goto(`/activities/${id}`);
      await page.getByText('32 chances left: 30 today + 2 bonus').waitFor();
      await page.getByText('Lantern guaranteed within 6 draws').waitFor();
      await page.getByRole('button', draw).click();
      await page.getByRole('dialog').getByRole('button', { name: NAMES.close }).click();
      await page.getByText('Lantern guaranteed within 5 draws').waitFor();
      await page.getByRole('button', { name: 'Ten at once' }).click();
      const sent = page.waitForRequest((request) => request.url().endsWith('/draws'));
      await page.getByRole('button', { name: 'Ten again' }).click();
      assert.equal((await sent).postDataJSON().draws, 10);
      await page.getByRole('dialog').getByRole('button', { name: NAMES.close }).click();
      await asAdmin(url, `/activities/${id}/close`, { reason: 'early' });
      await page.reload();
      await page.getByText('Ended early').waitFor();
    },
  },
  {
    name: 'an offer that one cannot pay says how much is missing',
    async run({ page, url }) {
      await signInByCode(page, '13900018105');
      const me = await page.evaluate(async () => (await fetch('/api/v1/me')).json());
      await asAdmin(url, `/admin/users/${me.id}/points`, { points: 100, reason: 'for the journey' });
      await page.goto('/shop');
      const films = page.getByRole('listitem').filter({ hasText: 'A week of films' });
      await films.getByText('20 more points needed').waitFor();
      assert.equal(await films.getByRole('button').isDisabled(), true);
    },
  },
];
