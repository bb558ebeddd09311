// Checking in, and what it is worth.
import assert from 'node:assert/strict';
import { openWindow } from './browser.mjs';
import { member } from './members.mjs';
import { becomes } from './patience.mjs';
import { startServer } from './server.mjs';
import { activityNamed, signInByCode } from './steps.mjs';

const DAY_MS = 86_400_000;

const checkedIn = (page) => page.getByRole('button', { name: 'Checked in today' });

/** @type {import('./journey.js').Journey[]} */
export default [
  {
    name: 'check-in: a streak over three days, a missed day that is made up, and the calendar',
    async run({ browser }) {
      // A server of its own: two days pass.
      const server = await startServer();
      const { context, page, errors } = await openWindow(browser, server.url);
      try {
        await signInByCode(page, '13900009001');
        await page.goto('/me');
        await page.getByRole('link', { name: 'Check-in' }).click();
        await page.getByRole('heading', { level: 2, name: 'Start a streak today' }).waitFor();
        await page.getByRole('button', { name: 'Check in', exact: true }).click();
        await page.getByRole('heading', { level: 2, name: '1 day in a row' }).waitFor();
        await becomes(() => checkedIn(page).isDisabled(), true);
        await page.reload();
        await becomes(() => checkedIn(page).isDisabled(), true);

        // A day is missed. Points for the make-up come from the console.
        server.advance(2 * DAY_MS);
        const me = await (await page.request.get('/api/v1/me')).json();
        const admin = await member(server.url, { phone: '13800000004', password: 'windfall-demo' });
        await admin.ask('POST', `/admin/users/${me.id}/points`, { points: 50, reason: 'a gift' });
        await page.reload();
        await page.getByRole('heading', { level: 2, name: 'Start a streak today' }).waitFor();
        await page.getByRole('button', { name: 'Check in', exact: true }).click();
        await page.getByRole('heading', { level: 2, name: '1 day in a row' }).waitFor();
        await page
          .getByRole('button', { name: /^Make up for/ })
          .last()
          .click();
        await page.getByRole('dialog').getByText('It costs 20 points').waitFor();
        await page.getByRole('dialog').getByRole('button', { name: 'Make up for 20 points' }).click();
        await page.getByRole('heading', { level: 2, name: '3 days in a row' }).waitFor();
        await page.goto('/me/points');
        await page.getByText('Made up for a missed day').waitFor();
        await becomes(async () => (await (await page.request.get('/api/v1/me/points')).json()).balance, 30);
        assert.deepEqual(errors, []);
      } finally {
        await context.close();
        await server.stop();
      }
    },
  },
  {
    name: 'check-in: a task pays a chance, which is drawn',
    async run({ page, url }) {
      await signInByCode(page, '13900009002');
      const wheel = await activityNamed(url, 'wheel');
      const chances = async () =>
        (await (await page.request.get(`/api/v1/play/activities/${wheel}/me`)).json()).granted;
      assert.equal(await chances(), 0);
      await page.goto('/me/tasks');
      await page.getByRole('region', { name: 'Level 1' }).waitFor();
      const task = page.getByRole('article').filter({ hasText: 'Daily check-in' });
      await task.getByText('0 of 1 today').waitFor();
      await task.getByRole('link', { name: /^Go:/ }).click();
      await page.getByRole('button', { name: 'Check in', exact: true }).click();
      await page.getByText('Today brought you').waitFor();
      await becomes(chances, 1);
      await page.goto('/me/tasks');
      await task.getByText('1 of 1 today').waitFor();
      await task.getByText('Done').waitFor();
      const draw = await page.request.post(`/api/v1/play/activities/${wheel}/draws`, {
        data: { id: 'check-in-journey' },
        headers: { origin: url },
      });
      assert.equal(draw.status(), 201, await draw.text());
    },
  },
];
