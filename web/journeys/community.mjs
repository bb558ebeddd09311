// The community: write, read, like, vote, comment, follow, block, judge.
import assert from 'node:assert/strict';
import { member } from './members.mjs';
import { becomes } from './patience.mjs';
import { signInByCode, signInByPassword } from './steps.mjs';

const heading = (page, name) => page.getByRole('heading', { level: 1, name });

/** @type {import('./journey.js').Journey[]} */
export default [
  {
    name: 'community: write a post with a draft that survives a reload, edit it, delete it',
    allow: ['404 (Not Found)', '403 (Forbidden)'],
    async run({ page }) {
      await signInByCode(page, '13900008001');
      await page.goto('/community');
      await page.getByRole('link', { name: 'Write a post' }).last().click();
      await page.getByLabel('Title', { exact: true }).fill('Tea after the draw');
      const text = page.getByLabel('Text', { exact: true });
      await text.fill('A *quiet* cup');
      await page.getByText('Draft kept on this device').waitFor();
      await page.reload();
      await page.getByText('Your draft is back.').waitFor();
      assert.equal(await text.inputValue(), 'A *quiet* cup');
      // What is selected is marked by the keyboard, and shown as others will see it.
      await text.press('ControlOrMeta+a');
      await text.press('ControlOrMeta+b');
      await becomes(() => text.inputValue(), '**A *quiet* cup**');
      await page.getByRole('button', { name: 'Preview' }).click();
      await page
        .getByRole('region', { name: 'Preview' })
        .locator('strong', { hasText: 'A quiet cup' })
        .waitFor();
      await page.getByRole('button', { name: 'Write', exact: true }).click();
      // A refusal is said beside the field that is to blame.
      await page.getByLabel('Link (optional)').fill('https://example.org/tea');
      await page.getByRole('button', { name: 'Publish' }).click();
      await page.getByText('A new account cannot post links').waitFor();
      await becomes(() => page.getByLabel('Link (optional)').getAttribute('aria-invalid'), 'true');
      await page.getByLabel('Link (optional)').fill('');
      await page.getByRole('button', { name: 'Publish' }).click();
      await heading(page, 'Tea after the draw').waitFor();
      await page.locator('article strong', { hasText: 'A quiet cup' }).waitFor();
      // The author is the first voter.
      await becomes(() => page.getByRole('button', { name: 'Voted' }).isDisabled(), true);

      await page.getByRole('button', { name: 'More' }).click();
      await page.getByRole('dialog').getByRole('link', { name: 'Edit' }).click();
      await page.getByLabel('Title', { exact: true }).fill('Tea before the draw');
      await page.getByRole('button', { name: 'Save changes' }).click();
      await heading(page, 'Tea before the draw').waitFor();
      await page.getByText('edited').waitFor();
      const address = page.url();
      await page.goto('/community');
      await page.getByRole('link', { name: 'Tea before the draw' }).click();
      await page.getByRole('button', { name: 'More' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Delete it' }).click();
      await heading(page, 'Community').waitFor();
      await becomes(() => page.getByRole('link', { name: 'Tea before the draw' }).count(), 0);
      await page.goto(address);
      await page.getByText('This post is not here any more').waitFor();
    },
  },
  {
    name: 'community: like in a list, vote and comment on a post, and find it all again',
    async run({ page, url }) {
      const author = await member(url, { phone: '13900008002', name: 'Mirabel' });
      const post = await author.ask('POST', '/posts', { title: 'Which wheel is kinder?', body: 'Tell me.' });
      await signInByCode(page, '13900008003');
      await page.goto('/community');
      const card = page.getByRole('article').filter({ hasText: 'Which wheel is kinder?' });
      await card.getByRole('button', { name: 'Like, 0 likes' }).click();
      await card.getByRole('button', { name: 'Like, 1 like' }).waitFor();
      await becomes(async () => (await author.ask('GET', `/posts/${post.id}`)).likes, 1);
      await card.getByRole('link', { name: 'Which wheel is kinder?' }).click();
      await page.getByRole('button', { name: 'Vote for it' }).click();
      await becomes(() => page.getByRole('button', { name: 'Voted' }).isDisabled(), true);
      await becomes(async () => (await author.ask('GET', `/posts/${post.id}`)).votes, 2);

      await page.getByLabel('Write a comment').fill('The left one, always.');
      await page.getByRole('button', { name: 'Send' }).click();
      await page.getByRole('heading', { name: '1 comment' }).waitFor();
      const [comment] = (await author.ask('GET', `/threads/post/${post.id}/comments`)).items;
      await author.ask('POST', `/threads/post/${post.id}/comments`, {
        text: 'Are you sure?',
        reply_to: comment.id,
      });
      await page.reload();
      await page.getByRole('button', { name: 'Show 1 reply' }).click();
      await page.getByText('Are you sure?').waitFor();
      await page.getByRole('button', { name: 'Reply to Mirabel' }).click();
      await page.getByLabel('Reply to Mirabel').last().fill('Quite.');
      await page.getByRole('button', { name: 'Send' }).last().click();
      await page.getByText('Quite.').waitFor();
      await page.getByRole('button', { name: 'Like this comment, 0 likes' }).first().click();
      await page.getByRole('button', { name: 'Like this comment, 1 like' }).waitFor();
      // One's own words go, their place stays for what is under it.
      await page.getByRole('button', { name: 'Delete', exact: true }).first().click();
      await page.getByRole('dialog').getByRole('button', { name: 'Delete it' }).click();
      await page.getByText('This comment is gone.').waitFor();

      await page.getByRole('link', { name: '1 like', exact: true }).click();
      await heading(page, 'Liked by').waitFor();
      await becomes(() => page.getByRole('main').getByRole('listitem').count(), 1);
      await page.goto('/community/hot');
      await page.getByRole('article').filter({ hasText: 'Which wheel is kinder?' }).waitFor();
    },
  },
  {
    name: 'community: follow somebody, block them, and bring them back',
    async run({ page, url }) {
      const author = await member(url, { phone: '13900008004', name: 'Noisette' });
      await author.ask('POST', '/posts', { title: 'A walk in the rain', body: 'Wet, but happy.' });
      await signInByCode(page, '13900008005');
      await page.goto('/community');
      await page.getByRole('link', { name: 'Noisette' }).click();
      await heading(page, 'Noisette').waitFor();
      await page.getByRole('button', { name: 'Follow', exact: true }).click();
      await page.getByRole('link', { name: '1 follower' }).waitFor();
      await becomes(async () => (await author.ask('GET', `/members/${author.id}`)).followers, 1);
      await page.getByRole('link', { name: '1 follower' }).click();
      await becomes(() => page.getByRole('main').getByRole('listitem').count(), 1);
      await page.goBack();
      await page.getByRole('button', { name: 'Block Noisette?' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Block', exact: true }).click();
      await page.getByText('You have blocked Noisette.').waitFor();
      await page.getByRole('link', { name: '0 followers' }).waitFor();
      await page.goto('/community');
      await page.getByRole('article').or(page.getByText('Nobody has written yet')).first().waitFor();
      await becomes(() => page.getByRole('link', { name: 'A walk in the rain' }).count(), 0);
      await page.goto('/me/blocked');
      await page.getByRole('link', { name: /Noisette/ }).click();
      await page.getByRole('button', { name: 'Unblock' }).click();
      await page.getByRole('link', { name: 'A walk in the rain' }).waitFor();
    },
  },
  {
    name: 'community: follow somebody who is suggested, read what they post, and not any more',
    async run({ page, url }) {
      const author = await member(url, { phone: '13900008008', name: 'Rosalind' });
      await author.ask('POST', '/posts', { title: 'Paper lanterns', body: 'Folded by hand.' });
      // Who is suggested comes from the hot list, which is kept for a while.
      const hot = async () => (await author.ask('GET', '/posts/hot?limit=5')).items.map(({ title }) => title);
      await becomes(async () => (await hot()).includes('Paper lanterns'), true);
      await page.goto('/community/following');
      await page.getByRole('heading', { name: 'Follow people you like to read' }).waitFor();
      await signInByCode(page, '13900008009');
      await page.goto('/community');
      await page.getByRole('link', { name: 'Following', exact: true }).click();
      await page.getByRole('heading', { name: 'Nothing here yet' }).waitFor();
      const people = page.getByRole('region', { name: 'People you could follow' });
      const row = people.getByRole('listitem').filter({ hasText: 'Rosalind' });
      await row.getByRole('button', { name: 'Follow', exact: true }).click();
      // What they wrote before comes in at once, and what they write now when the list is looked at again.
      await page.getByRole('article').filter({ hasText: 'Paper lanterns' }).waitFor();
      await author.ask('POST', '/posts', { title: 'A kite of silk', body: 'It flew.' });
      await page.reload();
      await page.getByRole('article').filter({ hasText: 'A kite of silk' }).waitFor();
      await becomes(() => page.getByRole('article').count(), 2);
      await page.getByText('You have seen everything').waitFor();

      await page.getByRole('link', { name: 'Rosalind' }).first().click();
      await heading(page, 'Rosalind').waitFor();
      await page.getByRole('button', { name: /Unfollow/ }).click();
      await page.getByRole('button', { name: 'Follow', exact: true }).waitFor();
      await page.goto('/community/following');
      await page.getByRole('heading', { name: 'Nothing here yet' }).waitFor();
      await becomes(() => page.getByRole('article').count(), 0);
    },
  },
  {
    name: 'community: whoever is signed out reads, and is asked to sign in for the rest',
    async run({ page, url }) {
      const author = await member(url, { phone: '13900008006', name: 'Pavel' });
      const post = await author.ask('POST', '/posts', { title: 'Open to all', body: 'Come in.' });
      await page.goto(`/posts/${post.id}`);
      await heading(page, 'Open to all').waitFor();
      await page.getByRole('link', { name: 'Sign in to vote' }).waitFor();
      await page.getByRole('button', { name: 'Like, 0 likes' }).click();
      await page.waitForURL(
        (address) =>
          address.pathname === '/sign-in' && address.searchParams.get('back') === `/posts/${post.id}`,
      );
    },
  },
  {
    name: 'community: a moderator removes a post with a reason, its author is told, and it comes back',
    allow: ['404 (Not Found)'],
    async run({ page, browser, url }) {
      const author = await member(url, { phone: '13900008007', name: 'Quentin' });
      const post = await author.ask('POST', '/posts', { title: 'Buy my coins', body: 'Cheap!' });
      await signInByPassword(page, '13800000004');
      await page.goto(`/posts/${post.id}`);
      await page.getByRole('button', { name: 'Remove' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
      await page.getByText('Please fill this in.').waitFor();
      await page.getByLabel('Why').fill('advertising');
      await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
      await page.getByText('A moderator has removed this post.').waitFor();
      const [name, value] = author.cookie.split('=');
      const theirs = await browser.newContext({ baseURL: url, locale: 'zh-CN' });
      await theirs.addCookies([{ name, value, url }]);
      const window = await theirs.newPage();
      await window.goto(`/posts/${post.id}`);
      await window.getByText('帖子已被版主移除').waitFor();
      await theirs.close();
      await page.getByRole('button', { name: 'Restore' }).click();
      await page.getByLabel('Why').fill('a mistake');
      await page.getByRole('dialog').getByRole('button', { name: 'Restore' }).click();
      await page.getByRole('button', { name: 'Vote for it' }).waitFor();
    },
  },
];
