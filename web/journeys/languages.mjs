// One language at a time: what people wrote is shown in the reader's language, wherever it stands.
import assert from 'node:assert/strict';
import { publishActivity } from './activity.mjs';
import { NAMES } from './names.mjs';
import { becomes } from './patience.mjs';
import { buy, publish } from './sale.mjs';
import { activityNamed, signInByCode } from './steps.mjs';

const HAN = /\p{Script=Han}/u;

/** What a page says, without the button that names the other language. */
async function said(page) {
  const text = await page.locator('body').innerText();
  return text.replaceAll('中文', '');
}

/** @type {import('./journey.js').Journey[]} */
export default [
  {
    name: 'names and texts of activities, prizes and items are in the reader’s language, and switch at once',
    window: { reducedMotion: 'reduce' },
    async run({ page, url }) {
      const id = await publishActivity(url, {
        name: '纸鸢',
        name_en: 'Kites',
        description: '放飞',
        description_en: 'Let them fly',
        whole: 10,
        chances: { total: 5 },
        prizes: [
          {
            name: '燕子风筝',
            name_en: 'Swallow kite',
            details: '竹骨',
            details_en: 'Bamboo frame',
            odds: 10,
            units: 9,
            kind: 'parcel',
          },
        ],
      });
      await signInByCode(page, '13900019201');
      await page.goto(`/activities/${id}`);
      await page.getByRole('heading', { name: 'Kites' }).waitFor();
      await page.getByText('Let them fly').waitFor();
      await page.getByRole('button', { name: 'Draw', exact: true }).click();
      await page.getByRole('dialog').getByText('Swallow kite').waitFor();
      await page.getByRole('dialog').getByRole('button', { name: NAMES.close }).click();
      await page.goto('/me/wins');
      await page.getByText('Swallow kite').first().waitFor();
      await page.getByRole('button', { name: /Switch to Chinese/ }).click();
      await page.getByText('燕子风筝').first().waitFor();
      await becomes(() => page.getByText('Swallow kite').count(), 0);
      await page.getByRole('button', { name: /切换到英文/ }).click();
      await page.getByText('Swallow kite').first().waitFor();
      const sale = await publish(url, {
        name: '夜市',
        item: 'collectible',
        details: '灯笼',
        details_en: 'A lantern',
        name_en: 'Lantern',
      });
      await page.goto(`/sales/${sale}`);
      await page.getByText('A lantern').waitFor();
      await buy(page, sale);
      await page.locator('.order-lines', { hasText: 'Lantern' }).waitFor();
    },
  },
  {
    name: 'a text in one language only is shown to everybody',
    async run({ page, url }) {
      const sale = await publish(url, { name: '只有中文', details: '说明' });
      await page.goto(`/sales/${sale}`);
      await page.getByRole('heading', { name: '只有中文' }).waitFor();
    },
  },
  {
    name: 'the demo in English has no Chinese on its pages, and in Chinese no English names',
    async run({ page, url, browser }) {
      const wheel = await activityNamed(url, 'Spring wheel');
      const fresh = await browser.newContext({ baseURL: url, locale: 'en' });
      const english = await fresh.newPage();
      for (const path of [`/activities/${wheel}`, `/activities/${wheel}/odds`, '/shop']) {
        await english.goto(path);
        await english.locator('.links, .odds, .offer').first().waitFor();
        const found = (await said(english)).split('\n').filter((line) => HAN.test(line));
        assert.deepEqual(found, [], path);
      }
      await fresh.close();
      await page.goto(`/activities/${wheel}`);
      const chinese = await browser.newContext({ baseURL: url, locale: 'zh-CN' });
      const other = await chinese.newPage();
      await other.goto(`/activities/${wheel}`);
      await other.getByRole('heading', { name: '春日大转盘', exact: true }).waitFor();
      assert.doesNotMatch(await said(other), /Spring wheel|Headphones|points/);
      await chinese.close();
    },
  },
];
