// Search: from the community's first page to what was looked for, on a phone and in both languages.
import assert from 'node:assert/strict';
import { serious, still } from './axe.mjs';
import { member } from './members.mjs';
import { becomes } from './patience.mjs';

const heading = (page, name) => page.getByRole('heading', { level: 1, name });
/** @type {import('./journey.js').Journey['window']} */
const PHONE = { viewport: { width: 360, height: 740 }, reducedMotion: 'reduce' };

/** The index follows the rows: looks until it has what was written. */
async function indexed(who, query, kind, count) {
  const path = `/search?kind=${kind}&q=${encodeURIComponent(query)}`;
  await becomes(async () => (await who.ask('GET', path)).items.length >= count, true);
}

/** @param {import('playwright-core').Page} page */
async function judge(page, where) {
  await still(page);
  const [wide, screen] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
  assert.ok(wide > 0 && wide <= screen, `${where} is ${wide} wide, and the screen ${screen}`);
  const found = await serious(page);
  assert.deepEqual(found, [], `${where}:\n  ${found.join('\n  ')}`);
}

/** @type {import('./journey.js').Journey[]} */
export default [
  {
    name: 'search: a word, its kinds, what matched, recent searches, and nothing found',
    window: { ...PHONE, locale: 'en' },
    async run({ page, url }) {
      const author = await member(url, { phone: '13900008201', name: 'Kasimir' });
      await author.ask('POST', '/posts', {
        title: 'A porcelain samovar <b>',
        body: 'Sings when it **boils**. See [here](/posts).',
      });
      await author.ask('POST', '/posts', { title: 'Tea at four', body: 'Who has a samovar?' });
      await indexed(author, 'samovar', 'post', 2);
      await indexed(author, 'kasimir', 'person', 1);
      await page.goto('/community');
      await page.getByRole('link', { name: 'Search', exact: true }).click();
      await heading(page, 'Search').waitFor();
      await page.getByText('Find what you are looking for').waitFor();
      await judge(page, 'the first look');
      const input = page.getByRole('searchbox', { name: 'What are you looking for?' });
      await input.fill('SAMOVAR');
      await input.press('Enter');
      const results = page.getByRole('main').getByRole('link');
      await results.filter({ hasText: 'Tea at four' }).waitFor();
      const first = results.filter({ hasText: 'A porcelain samovar <b>' });
      assert.equal(await first.locator('mark').first().textContent(), 'samovar');
      assert.equal(await first.locator('b').count(), 0, 'a text is a text');
      await judge(page, 'results');
      await page.getByRole('link', { name: 'People', exact: true }).click();
      await page.getByText('Nothing found for “SAMOVAR”').waitFor();
      await judge(page, 'nothing found');
      await input.fill('kasi');
      await page.getByRole('button', { name: 'Search now' }).click();
      await results.filter({ hasText: 'Kasimir' }).click();
      await heading(page, 'Kasimir').waitFor();
      await page.goBack();
      await results.filter({ hasText: 'Kasimir' }).waitFor();

      await page.goto('/search');
      const recent = page.getByRole('region', { name: 'Recent searches' });
      await recent.getByRole('link', { name: 'SAMOVAR' }).waitFor();
      await judge(page, 'recent searches');
      await recent.getByRole('link', { name: 'SAMOVAR' }).click();
      await first.click();
      await heading(page, 'A porcelain samovar <b>').waitFor();
      await page.goto('/search');
      await page.getByRole('button', { name: 'Clear' }).click();
      await page.getByText('Find what you are looking for').waitFor();
      await page.reload();
      await page.getByText('Find what you are looking for').waitFor();
    },
  },
  {
    name: 'search: in Chinese by one character, activities and items, and who blocks whom',
    window: { ...PHONE, locale: 'zh-CN', colorScheme: 'dark' },
    async run({ page, url }) {
      const author = await member(url, { phone: '13900008202', name: '青瓷' });
      const reader = await member(url, { phone: '13900008203', name: '雨荷' });
      await author.ask('POST', '/posts', { title: '龘字怎么念', body: '请教大家' });
      await indexed(author, '龘', 'post', 1);
      const [name, value] = reader.cookie.split('=');
      await page.context().addCookies([{ name, value, url }]);
      await page.goto('/search?q=龘');
      const results = page.getByRole('main').getByRole('link');
      const post = results.filter({ hasText: '龘字怎么念' });
      await post.waitFor();
      assert.equal(await post.locator('mark').textContent(), '龘');
      await judge(page, 'results in Chinese');
      await reader.ask('PUT', `/users/${author.id}/block`);
      await page.reload();
      await page.getByText('没有找到“龘”').waitFor();
      // What is on at the demo: draws, sales and offers.
      for (const [kind, label, path, list] of [
        ['activity', '活动', '/activities/', '/play/activities'],
        ['item', '商品', '/sales/', '/sales'],
      ]) {
        const { items } = await reader.ask('GET', list);
        const shown = items.find((item) => item.kind !== 'sale');
        await indexed(reader, shown.name, kind, 1);
        await page.getByRole('searchbox').fill(shown.name);
        await page.getByRole('button', { name: '开始搜索' }).click();
        await page.getByRole('link', { name: label, exact: true }).click();
        await results.filter({ hasText: shown.name }).first().waitFor();
        const address = await results.filter({ hasText: shown.name }).first().getAttribute('href');
        assert.ok(address?.startsWith(path), address ?? '');
        await judge(page, kind);
      }
    },
  },
  {
    name: 'search: a search that fails says so and can be tried again',
    allow: ['503 (Service Unavailable)'],
    async run({ page, url }) {
      const author = await member(url, { phone: '13900008204', name: 'Leonid' });
      await author.ask('POST', '/posts', { title: 'A balalaika with three strings', body: 'For sale.' });
      await indexed(author, 'balalaika', 'post', 1);
      let broken = true;
      await page.route('**/api/v1/search?**', (route) =>
        broken ? route.fulfill({ status: 503, body: '' }) : route.continue(),
      );
      await page.goto('/search?q=balalaika');
      const again = page.getByRole('alert').getByRole('button', { name: 'Try again' });
      await again.waitFor();
      broken = false;
      await again.click();
      await page.getByRole('link').filter({ hasText: 'A balalaika with three strings' }).waitFor();
    },
  },
];
