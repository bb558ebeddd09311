// The moderators' desk: the word filter, texts that wait, and appeals.
import assert from 'node:assert/strict';
import { serious } from '../axe.mjs';
import { member } from '../members.mjs';
import { client, DESK, enter, until } from './desk.mjs';

/** @param {import('playwright-core').Page} page */
async function act(page, place, label, fields) {
  await place.getByRole('button', { name: label, exact: true }).click();
  const dialog = page.getByRole('dialog');
  for (const [name, value] of Object.entries(fields)) await dialog.getByLabel(name).fill(value);
  return dialog;
}

/** @param {import('playwright-core').Page} page */
async function judge(page, where) {
  assert.deepEqual(await serious(page), [], where);
}

const WORDS = [
  {
    locale: 'en',
    phone: '13900019911',
    word: 'quincepool',
    reason: 'Reason',
    add: 'Add words',
    words: 'Words',
    action: 'Action',
    hold: 'Hold for review',
    tryText: 'Try a text',
    text: 'A text',
    tryIt: 'Try',
    outcome: 'It would wait for a moderator.',
    changes: 'Changes',
    release: 'Release',
    remove: 'Remove',
    heldNone: 'No text is waiting.',
    grant: 'Grant',
    granted: 'Granted',
    notYours: 'For another moderator',
    takeOut: 'Take out',
  },
  {
    locale: 'zh-CN',
    phone: '13900019912',
    word: 'quincering',
    reason: '原因',
    add: '添加敏感词',
    words: '敏感词',
    action: '处理方式',
    hold: '转人工审核',
    tryText: '试一试',
    text: '一段文字',
    tryIt: '检测',
    outcome: '会等待人工审核。',
    changes: '修改记录',
    release: '放行',
    remove: '移除',
    heldNone: '没有待审内容。',
    grant: '成立',
    granted: '申诉成立',
    notYours: '须由其他版主处理',
    takeOut: '移出',
  },
];

const moderate = (words) => ({
  name: `console: words are listed and tried, a held text is released, an appeal is granted (${words.locale})`,
  window: { ...DESK, locale: words.locale },
  /** @param {{ page: import('playwright-core').Page, url: string }} stage */
  async run({ page, url }) {
    await enter(page, 'admin', '/console/words');
    const add = await act(page, page.locator('#page'), words.add, {
      [words.words]: `${words.word}\n\n ${words.word} `,
      [words.reason]: 'a ring of spammers',
    });
    await add.getByRole('combobox', { name: words.action }).click();
    await page.locator(`.ant-select-item-option[title="${words.hold}"]:visible`).last().click();
    await judge(page, 'adding words');
    await add.getByRole('button', { name: words.add, exact: true }).click();
    await add.waitFor({ state: 'detached' });
    await page.getByRole('row').filter({ hasText: words.word }).filter({ hasText: words.hold }).waitFor();
    await judge(page, 'the list');
    await page.getByRole('tab', { name: words.tryText }).click();
    const spelled = words.word.split('').join('.').toUpperCase();
    await page.getByLabel(words.text, { exact: true }).fill(`Come to ${spelled}`);
    await page.getByRole('button', { name: words.tryIt, exact: true }).click();
    await page.getByText(words.outcome).waitFor();
    await page.getByText(spelled).last().waitFor();
    await judge(page, 'a trial');
    await page.getByRole('tab', { name: words.changes }).click();
    await page.getByRole('cell', { name: words.word, exact: true }).waitFor();
    await judge(page, 'the changes');

    const author = await member(url, { phone: words.phone, name: `Quincy ${words.locale}` });
    const write = (title) => author.ask('POST', '/posts', { title, body: `Join ${words.word}` });
    const good = await write(`Good ${words.locale}`);
    const bad = await write(`Bad ${words.locale}`);
    assert.deepEqual([good.state, bad.state], ['held', 'held']);
    await page.goto('/console/held');
    const row = (title) => page.getByRole('row').filter({ hasText: `${title} ${words.locale}` });
    await row('Good').waitFor();
    await judge(page, 'texts that wait');
    for (const [title, label] of [
      ['Good', words.release],
      ['Bad', words.remove],
    ]) {
      const dialog = await act(page, row(title), label, { [words.reason]: 'looked at it' });
      await dialog.getByRole('button', { name: label, exact: true }).click();
      await dialog.waitFor({ state: 'detached' });
      await row(title).waitFor({ state: 'detached' });
    }
    assert.equal((await fetch(`${url}/api/v1/posts/${good.id}`)).status, 200);
    assert.equal((await fetch(`${url}/api/v1/posts/${bad.id}`)).status, 404);

    const [decision] = (await author.ask('GET', '/me/decisions')).items;
    await author.ask('POST', `/me/decisions/${decision.id}/appeal`, { text: 'Quinces are fruit' });
    // Whoever removed it does not decide.
    await page.goto('/console/appeals');
    await row('Bad').getByText(words.notYours).waitFor();
    await page.context().clearCookies();
    await enter(page, 'second', '/console/appeals');
    await row('Bad').getByText('Quinces are fruit').waitFor();
    await judge(page, 'appeals');
    const dialog = await act(page, row('Bad'), words.grant, { [words.reason]: 'fruit it is' });
    await dialog.getByRole('button', { name: words.grant, exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    const isBack = async () => (await fetch(`${url}/api/v1/posts/${bad.id}`)).status === 200;
    await until(isBack, 'the post is not back');
    const [{ appeal }] = (await author.ask('GET', '/me/decisions')).items;
    assert.deepEqual([appeal.state, appeal.answer], ['granted', 'fruit it is']);

    await page.goto(`/console/words?part=${words.word}`);
    const out = await act(page, page.getByRole('row').filter({ hasText: words.word }), words.takeOut, {
      [words.reason]: 'they are gone',
    });
    await out.getByRole('button', { name: words.takeOut, exact: true }).click();
    await out.waitFor({ state: 'detached' });
    const admin = await client(url, 'admin');
    assert.equal((await admin.get(`/admin/words?part=${words.word}`)).items.length, 0);
  },
});

/** @type {import('../journey.js').Journey[]} */
export default WORDS.map(moderate);
