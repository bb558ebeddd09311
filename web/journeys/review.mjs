// Texts that wait for review: what their authors see of it, in both languages.
import assert from 'node:assert/strict';
import { serious, still } from './axe.mjs';
import { member } from './members.mjs';
import { becomes } from './patience.mjs';
import { signInByCode } from './steps.mjs';

/** The words of the filter that these journeys set: nobody else writes them. */
const HELD = 'marmaladeclub';
const REJECTED = 'marmaladebet';

/** Somebody who may judge, with the words in the list. */
async function moderator(url) {
  const admin = await member(url, { phone: '13800000004', password: 'windfall-demo' });
  await admin.ask('POST', '/admin/words', {
    set: [
      { word: HELD, action: 'hold' },
      { word: REJECTED, action: 'reject' },
    ],
    reason: 'for the journeys',
  });
  return admin;
}

const LANGUAGES = [
  {
    locale: 'en',
    phone: '13900019901',
    title: 'Title',
    text: 'Text',
    publish: 'Publish',
    refused: 'Words that are not allowed here',
    waits: 'This post waits for review.',
    removed: 'A moderator has removed this post.',
    see: 'See why, and appeal',
    reason: 'Reason: off topic',
    appeal: 'Appeal',
    why: 'Why it should not be removed',
    send: 'Send the appeal',
    open: 'The appeal waits for a moderator.',
    notice: 'A moderator looked at your post: it is removed',
  },
  {
    locale: 'zh-CN',
    phone: '13900019902',
    title: '标题',
    text: '正文',
    publish: '发布',
    refused: '含有不允许的内容',
    waits: '帖子等待审核，期间只有您和版主可见。',
    removed: '帖子已被版主移除',
    see: '查看原因并申诉',
    reason: '原因：off topic',
    appeal: '申诉',
    why: '申诉理由',
    send: '提交申诉',
    open: '申诉等待处理。',
    notice: '版主已审核你的帖子，已移除',
  },
];

/** @param {import('playwright-core').Page} page */
async function judge(page, where) {
  await still(page);
  assert.deepEqual(await serious(page), [], where);
}

/** @returns {import('./journey.js').Journey} */
const reviewed = (words) => ({
  name: `community: a text waits for review, is removed and appealed (${words.locale})`,
  window: { locale: words.locale, viewport: { width: 360, height: 740 }, reducedMotion: 'reduce' },
  allow: ['422 (Unprocessable', '404 (Not Found)'],
  async run({ page, url }) {
    const admin = await moderator(url);
    await signInByCode(page, words.phone);
    await page.goto('/write');
    await page.getByRole('textbox', { name: words.title, exact: true }).fill(`Join ${words.locale}`);
    await page.getByRole('textbox', { name: words.text, exact: true }).fill(`A ${REJECTED} for all`);
    await page.getByRole('button', { name: words.publish, exact: true }).click();
    await page.getByText(words.refused).first().waitFor();
    await page.getByRole('textbox', { name: words.text, exact: true }).fill(`The ${HELD} meets`);
    await page.getByRole('button', { name: words.publish, exact: true }).click();
    await page.getByRole('status').filter({ hasText: words.waits }).waitFor();
    await judge(page, 'a post that waits');
    const id = new URL(page.url()).pathname.split('/').at(-1);
    const stranger = await fetch(`${url}/api/v1/posts/${id}`);
    assert.equal(stranger.status, 404, 'nobody else sees it');

    await admin.ask('POST', `/admin/posts/${id}/moderate`, { act: 'remove', reason: 'off topic' });
    await page.reload();
    await page.getByText(words.removed).waitFor();
    await page.getByRole('link', { name: words.see }).click();
    await page.getByText(words.reason).waitFor();
    await judge(page, 'decisions');
    await page.getByRole('button', { name: words.appeal, exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(words.why).fill('It is about oranges');
    await judge(page, 'the appeal');
    await dialog.getByRole('button', { name: words.send }).click();
    await page.getByText(words.open).waitFor();
    await becomes(() => page.getByRole('button', { name: words.appeal, exact: true }).count(), 0);
    await page.goto('/inbox');
    await page.getByRole('link', { name: new RegExp(words.notice) }).click();
    await page.getByText(words.open).waitFor();
  },
});

/** @type {import('./journey.js').Journey[]} */
export default LANGUAGES.map(reviewed);
