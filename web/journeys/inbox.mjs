// What comes for somebody: notifications, live, and messages between two people.
import assert from 'node:assert/strict';
import { member } from './members.mjs';
import { becomes } from './patience.mjs';

/** The window is theirs from now on. */
async function become(page, url, { cookie }) {
  const [name, value] = cookie.split('=');
  await page.context().addCookies([{ name, value, url }]);
}

const heading = (page, name) => page.getByRole('heading', { level: 1, name });

/** @type {import('./journey.js').Journey[]} */
export default [
  {
    name: 'inbox: a like is heard at once, grouped with the next, read by looking, and switched off',
    async run({ page, url }) {
      const [fan, other] = [
        await member(url, { phone: '13900008101', name: 'Florian' }),
        await member(url, { phone: '13900008102', name: 'Greta' }),
      ];
      const me = await member(url, { phone: '13900008103', name: 'Henriette' });
      const post = await me.ask('POST', '/posts', { title: 'A lucky teapot', body: 'It whistles.' });
      await become(page, url, me);
      await page.goto('/community');
      await page.getByRole('link', { name: 'Notifications', exact: true }).waitFor();
      await fan.ask('PUT', `/posts/${post.id}/like`);
      await page.getByRole('link', { name: 'Notifications, 1 unread' }).click();
      await heading(page, 'Inbox').waitFor();
      const row = page.getByRole('listitem').filter({ hasText: 'liked your post' });
      await row.getByText('Florian liked your post').waitFor();
      await row.getByText('A lucky teapot').waitFor();
      await row.getByText('New', { exact: true }).waitFor();
      await becomes(async () => (await me.ask('GET', '/me/unread')).notifications, 0);
      await other.ask('PUT', `/posts/${post.id}/like`);
      await row.getByText('Greta and Florian liked your post').waitFor();
      await row.getByRole('link').click();
      await heading(page, 'A lucky teapot').waitFor();

      await page.goto('/inbox');
      await page.getByRole('link', { name: 'Notification settings' }).click();
      const likes = page.getByRole('checkbox', { name: 'Likes' });
      await likes.click();
      await becomes(async () => (await me.ask('GET', '/me/notification-settings')).off.join(), 'like');
      await page.reload();
      await becomes(() => likes.isChecked(), false);
      assert.equal(await page.getByRole('checkbox', { name: 'Mentions' }).isChecked(), true);
    },
  },
  {
    name: 'inbox: write to somebody, wait for their answer, see it come, and read on',
    allow: ['409 (Conflict)'],
    async run({ page, url }) {
      const other = await member(url, { phone: '13900008104', name: 'Isidore' });
      const writer = await member(url, { phone: '13900008105', name: 'Josephine' });
      await other.ask('POST', '/posts', { title: 'Looking for a twin cup', body: 'Anybody?' });
      await become(page, url, writer);
      await page.goto(`/members/${other.id}`);
      await page.getByRole('link', { name: 'Write to Isidore' }).click();
      await page.getByText('Nobody else can read').waitFor();
      const text = page.getByRole('textbox', { name: 'Write to Isidore' });
      const send = page.getByRole('button', { name: 'Send' });
      await text.fill('I have one.\nIs it blue?');
      await send.click();
      const messages = page.getByRole('list', { name: 'Conversation with Isidore' }).getByRole('listitem');
      await messages.getByText('Is it blue?').waitFor();
      assert.equal(await text.inputValue(), '');
      await text.fill('Hello?');
      await send.click();
      await page.getByText('They have not answered yet').waitFor();
      const me = (await other.ask('GET', '/me/conversations')).items[0];
      assert.equal(me.unread, 1);
      await other.ask('POST', `/users/${me.id}/messages/read`, { until: 1 });
      await other.ask('POST', `/users/${me.id}/messages`, { text: 'As blue as the sea.' });
      await messages.getByText('As blue as the sea.').waitFor();
      await messages.filter({ hasText: 'Is it blue?' }).getByText('Read').waitFor();
      await send.click();
      await messages.getByText('Hello?').waitFor();

      await page.goto('/inbox/messages');
      const row = page.getByRole('link').filter({ hasText: 'Isidore' });
      await row.getByText('You: Hello?').waitFor();
      await other.ask('POST', `/users/${me.id}/messages`, { text: 'Still here.' });
      await row.getByRole('img', { name: 'Isidore, 1 unread' }).waitFor();
      await row.click();
      await messages.getByText('Still here.').waitFor();
      await becomes(async () => (await other.ask('GET', `/users/${me.id}/messages`)).read_by_other, 4);
    },
  },
];
