// Every page: nothing serious for axe-core, nothing wider than a narrow phone, in both colours.
import assert from 'node:assert/strict';
import { serious, still } from './axe.mjs';
import { member } from './members.mjs';
import { publish, saleNamed } from './sale.mjs';
import { activityNamed, asAdmin, signInByCode } from './steps.mjs';

/**
 * Moves on to a page, and waits until it shows what it is about.
 *
 * @param {import('playwright-core').Page} page
 */
async function visit(page, path, sign) {
  await page.goto(path);
  await page.locator(sign).first().waitFor();
  await still(page);
}

/** @param {import('playwright-core').Page} page */
async function judge(page, where) {
  const [wide, screen] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
  assert.ok(wide > 0 && wide <= screen, `${where} is ${wide} wide, and the screen ${screen}`);
  const found = await serious(page);
  assert.deepEqual(found, [], `${where}:\n  ${found.join('\n  ')}`);
}

const everyPage = (eyes) => ({
  name: `every page is fit for a phone and a screen reader (${eyes.colorScheme}, ${eyes.locale})`,
  window: { ...eyes, viewport: { width: 360, height: 740 }, reducedMotion: 'reduce' },
  async run({ page, url }) {
    const [wheel, box, grid, raffle] = await Promise.all(
      ['Spring wheel', 'Blind box', 'Nine-grid', 'Year-end raffle'].map((name) => activityNamed(url, name)),
    );
    const [teapot, gone, numbered] = await Promise.all(
      ['Noon sale', 'Early birds', 'Digital collectible'].map((name) => saleNamed(url, name)),
    );
    await asAdmin(url, `/activities/${wheel}/winners/publish`, {});
    for (const [path, sign] of [
      ['/', '.sale-card'],
      [`/sales/${teapot}`, '.buy .button'],
      ['/sign-in', 'input[name=phone]'],
      ['/register', 'input[name=phone]'],
      ['/reset', 'input[name=phone]'],
      ['/no/such/page', '.state'],
      ['/cart', '.state'],
      [`/activities/${wheel}/odds`, '.odds'],
    ]) {
      await visit(page, path, sign);
      await judge(page, path);
    }
    await signInByCode(page, eyes.phone);
    await visit(page, `/activities/${wheel}`, '.hub:enabled');
    await page.locator('.stage-foot .gold').click();
    await page.locator('dialog .ten-card.open').nth(9).waitFor();
    await judge(page, 'ten at once');
    for (const [path, sign] of [
      [`/activities/${wheel}`, '.hub:enabled'],
      [`/activities/${box}`, '.box-game'],
      [`/activities/${grid}`, '.grid'],
      [`/activities/${raffle}`, '.entry-row'],
      [`/activities/${wheel}/draws`, '.row'],
      [`/activities/${wheel}/winners`, '.winners, .state'],
      ['/me', '.who'],
      ['/me/wins', '.win, .state'],
      ['/me/points', '.balance'],
      ['/me/grants', '.row, .state'],
      ['/shop', '.offer'],
      ['/me/addresses', '.button.primary'],
      ['/me/security', '.card'],
    ]) {
      await visit(page, path, sign);
      await judge(page, path);
    }
    await community(page, url, eyes.author);
    await sales(page, url, { teapot, gone, numbered });
    await visit(page, `/activities/${wheel}/draws`, '.row');
    await page.locator('.row').first().click();
    await page.locator('.seal').waitFor();
    await judge(page, 'a proof');
    await visit(page, '/me/addresses', '.button.primary');
    await page.locator('.button.primary').click();
    await page.locator('dialog input').first().waitFor();
    await judge(page, 'the dialog of an address');
  },
});

/**
 * The lists of posts, a post with comments, somebody's page, the editor.
 *
 * @param {import('playwright-core').Page} page
 */
async function community(page, url, phone) {
  const author = await member(url, { phone, name: 'Odile' });
  const post = await author.ask('POST', '/posts', {
    title: 'Markdown of every kind',
    body: '# One\n\n- two\n\n> three\n\n```\nfour\n```\n\n| a | b |\n| - | - |\n| 1 | 2 |\n\n**five** `six`',
  });
  await author.ask('PUT', `/posts/${post.id}/like`);
  const comment = await author.ask('POST', `/threads/post/${post.id}/comments`, { text: 'First.' });
  await author.ask('POST', `/threads/post/${post.id}/comments`, { text: 'Second.', reply_to: comment.id });
  for (const [path, sign] of [
    ['/community', 'article'],
    ['/community/following', '.state li, article'],
    ['/community/hot', 'article'],
    ['/community/featured', 'article, .state'],
    [`/posts/${post.id}`, 'textarea'],
    [`/posts/${post.id}/likes`, 'main li'],
    [`/members/${author.id}`, 'article'],
    [`/members/${author.id}/followers`, '.state'],
    [`/members/${author.id}/following`, '.state'],
    ['/me/blocked', '.state'],
    ['/me/decisions', '.state'],
    ['/me/check-in', 'table'],
    ['/me/tasks', 'article'],
    ['/me/invite', 'dl'],
    ['/inbox', '.state, main li'],
    ['/inbox/messages', '.state, main li'],
    ['/inbox/settings', 'main li'],
    ['/search', '.state'],
    ['/search?q=markdown&kind=person', '.state'],
    ['/write', 'textarea'],
  ]) {
    await visit(page, path, sign);
    await judge(page, path);
  }
  await visit(page, `/posts/${post.id}`, '.text-link');
  await page.locator('.text-link').click();
  await page.getByText('Second.').waitFor();
  await judge(page, 'replies');
}

/**
 * A sale before, while and after one can buy; the gate; an order before and after it is paid.
 *
 * @param {import('playwright-core').Page} page
 */
async function sales(page, url, { teapot, gone, numbered }) {
  await visit(page, `/sales/${teapot}`, '.into-cart');
  await page.locator('.into-cart').click();
  await page.locator('.in-cart').waitFor();
  await judge(page, 'a sale that is in the cart');
  await visit(page, '/cart', '.cart-line');
  await judge(page, 'the cart');
  const soon = await publish(url, {
    name: 'Soon to come',
    startsIn: 300_000,
    gate: { room: { per_second: 1 } },
  });
  await visit(page, `/sales/${soon}`, '.sale-standing.soon');
  await page.locator('.buy .button.primary').last().click();
  await page.locator('.room[data-state=waiting]').waitFor();
  await judge(page, 'the waiting room');
  await visit(page, `/sales/${gone}`, '.buy .button');
  await judge(page, 'sold out');
  await visit(page, `/sales/${numbered}`, '.buy .button:enabled');
  await page.locator('.buy .button').click();
  await page.locator('.room[data-state=admitted]').waitFor();
  await judge(page, 'one’s turn');
  await page.locator('.buy-row .button:enabled').click();
  await page.locator('.captcha img').waitFor();
  await judge(page, 'the picture');
  await page.locator('input[name=answer]').fill(await page.getByTestId('captcha-answer').textContent());
  await page.getByRole('dialog').locator('button[type=submit]').click();
  await page.locator('.order-card[data-state=unpaid]').waitFor();
  await judge(page, 'an order that is not paid');
  await page.locator('.order-ways .gold').click();
  await page.locator('button[value=pay]').waitFor();
  await judge(page, 'the sandbox');
  await page.locator('button[value=pay]').click();
  await page.locator('.order-card[data-state=fulfilled]').waitFor();
  await judge(page, 'an order that is done');
  await visit(page, '/me/orders', '.order-row');
  await judge(page, 'my orders');
  await visit(page, '/me/items', '.item');
  await judge(page, 'my collection');
}

/** @type {import('./journey.js').Journey[]} */
export default [
  everyPage({ colorScheme: 'light', locale: 'en', phone: '13900003001', author: '13900003003' }),
  everyPage({ colorScheme: 'dark', locale: 'zh-CN', phone: '13900003002', author: '13900003004' }),
];
