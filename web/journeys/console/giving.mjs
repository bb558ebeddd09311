// What people are given: by rule, for points, and in the open.
import assert from 'node:assert/strict';
import { openWindow } from '../browser.mjs';
import { becomes } from '../patience.mjs';
import { signInByCode } from '../steps.mjs';
import { choose, client, DESK, enter, until } from './desk.mjs';

const PHONE = { viewport: { width: 390, height: 844 }, locale: 'en', reducedMotion: 'reduce' };
/** @param {import('playwright-core').Page} page */
const idOf = (page) => page.evaluate(async () => (await (await fetch('/api/v1/me')).json()).id);

/**
 * Fills the dialog that is open, and confirms it by its own button.
 *
 * @param {import('playwright-core').Page} page
 */
async function confirm(page, label, fields = []) {
  const dialog = page.getByRole('dialog');
  for (const [name, value] of fields) await dialog.getByLabel(name, { exact: true }).fill(value);
  await dialog.getByRole('button', { name: label, exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
}

/** @type {import('../journey.js').Journey[]} */
export default [
  {
    name: 'console: a rule is made, gives what it says, once a day, and what it gave is taken back',
    window: DESK,
    async run({ page, browser, url }) {
      const { context, page: phone, errors } = await openWindow(browser, url, PHONE);
      await signInByCode(phone, '13900007001');
      const user = await idOf(phone);
      await enter(page, 'operator', '/console/grant-rules');
      // Two, one after the other: each is its own.
      for (const [name, behaviour, points] of [
        ['First post', 'task:first_post', '30'],
        ['A visit', 'task:visit', '5'],
      ]) {
        await page.getByRole('button', { name: 'New rule' }).click();
        await choose(page, 'Gives', 'Points');
        await confirm(page, 'New rule', [
          ['Name', name],
          ['Behaviour', behaviour],
          ['How many', points],
        ]);
        await page.locator('.ant-table-row', { hasText: behaviour }).waitFor();
      }
      // A rule that says no limit on all it gives waits for a second person.
      const admin = await client(url, 'admin');
      const made = page.locator('.ant-table-row', { hasText: 'task:first_post' });
      await made.getByText('Waiting', { exact: true }).waitFor();
      const { items: rules } = await admin.get('/grant-rules');
      for (const rule of rules.filter((rule) => rule.approval_id)) {
        await admin.post(`/admin/approvals/${rule.approval_id}/approve`, {});
      }
      // The company's backend reports what happened; reported twice it counts once, and a second one that day gives nothing.
      const tell = (id) =>
        admin.post('/behaviours', { behaviours: [{ kind: 'task:first_post', id, user_id: user }] });
      const first = await tell('post-1');
      assert.equal(first.answers[0].recorded.grants.length, 1);
      await tell('post-1');
      await tell('post-2');
      await phone.goto('/me/points');
      await until(async () => {
        await phone.reload();
        await phone.locator('.balance').waitFor();
        return (await phone.locator('.balance').textContent()).includes('30');
      }, 'the points are there');
      const row = page.locator('.ant-table-row', { hasText: 'task:first_post' });
      await row.getByRole('button', { name: 'Expand row' }).click();
      const given = page.locator('.ant-table-expanded-row .ant-table-row');
      await given.first().waitFor();
      await becomes(() => given.count(), 1);
      await given.getByRole('button', { name: 'Take back' }).click();
      await confirm(page, 'Take back', [['Reason', 'it was no post']]);
      await until(async () => {
        await phone.reload();
        await phone.locator('.balance').waitFor();
        return /(^|\D)0(\D|$)/.test(await phone.locator('.balance').textContent());
      }, 'they are taken back');
      await row.getByRole('button', { name: 'Switch off' }).click();
      await confirm(page, 'Switch off');
      await row.getByText('Off', { exact: true }).waitFor();
      assert.deepEqual(errors, []);
      await context.close();
    },
  },
  {
    name: 'console: an offer is made, sold for points, restocked and taken off',
    window: DESK,
    async run({ page, browser, url }) {
      const { context, page: phone, errors } = await openWindow(browser, url, PHONE);
      await signInByCode(phone, '13900007002');
      const operator = await client(url, 'operator');
      await operator.post(`/admin/users/${await idOf(phone)}/points`, {
        points: 100,
        reason: 'for the journey',
      });
      await enter(page, 'operator', '/console/shop');
      await page.getByRole('button', { name: 'New offer' }).click();
      await confirm(page, 'New offer', [
        ['Name', 'Paper lantern'],
        ['Price in points', '40'],
        ['Stock', '1'],
      ]);
      const row = page.locator('.ant-table-row', { hasText: 'Paper lantern' });
      await row.getByText('Draft').waitFor();
      await phone.goto('/shop');
      await phone.locator('.offer').first().waitFor();
      await becomes(
        () => phone.locator('.offer', { hasText: 'Paper lantern' }).count(),
        0,
        'a draft is not seen',
      );
      await row.getByRole('button', { name: 'Sell' }).click();
      await confirm(page, 'Sell');
      await phone.reload();
      const buy = phone.getByRole('button', { name: 'Buy Paper lantern' });
      await buy.click();
      await phone.getByRole('dialog').locator('button[type=submit]').click();
      await phone.getByText('Bought: Paper lantern').waitFor();
      await phone.getByText('You have 60 points.').waitFor();
      await phone.locator('.offer', { hasText: 'Sold out' }).filter({ hasText: 'Paper lantern' }).waitFor();
      await becomes(() => buy.isEnabled(), false);
      await row.getByRole('button', { name: 'Restock' }).click();
      await confirm(page, 'Restock', [
        ['Change', '5'],
        ['Reason', 'more came'],
      ]);
      await until(async () => {
        await phone.reload();
        await phone.locator('.offer').first().waitFor();
        return phone.locator('.offer', { hasText: 'Paper lantern' }).getByText('5 left').count();
      }, 'there are more');
      await row.getByRole('button', { name: 'Take off' }).click();
      await confirm(page, 'Take off');
      await row.getByText('Off', { exact: true }).waitFor();
      assert.deepEqual(errors, []);
      await context.close();
    },
  },
  {
    name: 'console: the list of winners is for staff until it is published, and then for everybody',
    window: DESK,
    // Whoever asks before it is published is refused.
    allow: ['401'],
    async run({ page, browser, url }) {
      const [operator, reviewer, player] = await Promise.all(
        ['operator', 'reviewer', 'player'].map((who) => client(url, who)),
      );
      const { now_ms: now } = await operator.get('/time');
      const { id } = await operator.post('/activities', {
        name: 'Everybody wins',
        from: now - 60_000,
        until: now + 3_600_000,
        chances: { total: 3 },
        whole: 100,
        prizes: [{ name: 'A poem', odds: 100, unlimited: true, kind: 'text', details: 'Read it slowly.' }],
      });
      await operator.post(`/activities/${id}/submit`, {});
      await reviewer.post(`/activities/${id}/approve`, {});
      await until(async () => (await operator.get(`/activities/${id}`)).state === 'running', 'it runs');
      await player.post(`/play/activities/${id}/draws`, { id: 'everybody-1', draws: 1 });

      const { context, page: visitor } = await openWindow(browser, url, PHONE);
      await visitor.goto(`/activities/${id}`);
      await visitor.getByRole('link', { name: 'All winners' }).click();
      await visitor.getByText('The list is not published yet').waitFor();
      await enter(page, 'operator', `/console/activities/${id}?tab=run`);
      await page.getByRole('button', { name: 'Publish the winners' }).click();
      await confirm(page, 'Publish the winners');
      await until(async () => {
        await visitor.reload();
        await visitor.locator('.winners li, .state').first().waitFor();
        return visitor.locator('.winners li', { hasText: 'A poem' }).count();
      }, 'the list is there');
      assert.match(await visitor.locator('.winners b').first().textContent(), /^.\*+/, 'names are masked');
      await context.close();
    },
  },
];
