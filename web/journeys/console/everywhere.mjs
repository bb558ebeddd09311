// Every page of the console, and what holds on all of them.
import assert from 'node:assert/strict';
import { serious } from '../axe.mjs';
import { openWindow } from '../browser.mjs';
import { becomes } from '../patience.mjs';
import { fill } from './data.mjs';
import { DESK, enter, STAFF } from './desk.mjs';
import { pagesOf } from './pages.mjs';

let filled;
/** Once for all journeys on one server. */
const ids = (url) => {
  filled ??= fill(url);
  return filled;
};

/** @param {import('playwright-core').Page} page */
async function judge(page, where, found) {
  const { scrollWidth, clientWidth } = await page.evaluate(() => ({
    scrollWidth: document.documentElement.scrollWidth,
    clientWidth: document.documentElement.clientWidth,
  }));
  if (scrollWidth > clientWidth)
    found.push(`${where} is wider than the screen: ${scrollWidth} > ${clientWidth}`);
  found.push(...(await serious(page)).map((finding) => `${where} ${finding}`));
}

const everyPage = (look) => ({
  name: `console: every page is fit for a screen reader (${look.locale}, ${look.colorScheme}, ${look.viewport.width} wide)`,
  window: { ...look, reducedMotion: 'reduce' },
  async run({ page, url }) {
    const found = [];
    const known = await ids(url);
    await page.goto('/console');
    await page.locator('#phone').waitFor();
    await judge(page, 'sign-in', found);
    await enter(page, 'admin');
    for (const [name, path, sign] of pagesOf(known)) {
      await page.goto(path);
      await page.locator(sign).first().waitFor();
      await judge(page, name, found);
      const plus = page.locator('.ant-table-row-expand-icon').first();
      if (await plus.count()) {
        await plus.click();
        await page.locator('.ant-table-expanded-row').first().waitFor();
        await judge(page, `${name}, opened`, found);
      }
    }
    await page.goto(`/console/activities/${known.wheel}/edit`);
    for (const step of [1, 2, 3, 4, 5]) {
      await page.locator('.page .next').click();
      await page.locator('.panel, .ant-empty').first().waitFor();
      await judge(page, `step ${step + 1} of the wizard`, found);
    }
    await page.goto(`/console/users/${known.player}`);
    for (const tab of await page.getByRole('tab').all()) {
      await tab.click();
      await judge(page, `tab of a user`, found);
    }
    await page.locator('.page-head .ant-btn-dangerous').click();
    await page.getByRole('dialog').waitFor();
    await judge(page, 'a dialog', found);
    assert.deepEqual(found, [], found.join('\n'));
  },
});

/** @type {import('../journey.js').Journey[]} */
export default [
  {
    name: 'console: everything is stopped: each page says who did it, when and why',
    window: DESK,
    async run({ page, browser, url }) {
      await enter(page, 'admin', '/console/settings');
      await page.getByRole('button', { name: 'Stop everything' }).click();
      await page.getByRole('dialog').getByLabel('Reason').fill('a wrong prize is out');
      await page.getByRole('dialog').getByRole('button', { name: 'Stop everything' }).click();
      const other = await openWindow(browser, url, DESK);
      await enter(other.page, 'operator', '/console/fulfilment');
      const banner = other.page.getByRole('alert').filter({ hasText: 'Everything is stopped' });
      await banner.getByText('a wrong prize is out').waitFor();
      await banner.getByRole('link', { name: /Admin/ }).waitFor();
      await other.context.close();
      await page.getByRole('button', { name: 'Let everything go on' }).click();
      await page.getByRole('dialog').getByLabel('Reason').fill('mended');
      await page.getByRole('dialog').getByRole('button', { name: 'Let everything go on' }).click();
      await page.getByText('Activities run as they should.').waitFor();
    },
  },
  everyPage({ locale: 'en', colorScheme: 'light', viewport: { width: 1280, height: 800 } }),
  everyPage({ locale: 'zh-CN', colorScheme: 'dark', viewport: { width: 390, height: 844 } }),
  {
    name: 'console: the language can be switched and stays; so do the colours',
    window: { ...DESK, locale: 'zh-CN' },
    async run({ page }) {
      await enter(page, 'operator');
      await page.getByRole('heading', { name: '总览' }).waitFor();
      await page.getByRole('button', { name: '切换到英文' }).click();
      await page.getByRole('heading', { name: 'Dashboard' }).waitFor();
      await page.getByRole('link', { name: 'Fulfilment' }).click();
      await page.reload();
      await page.getByRole('heading', { name: 'Fulfilment' }).waitFor();
      await becomes(() => page.locator('html').getAttribute('lang'), 'en');
      await page.getByRole('combobox', { name: 'Colours' }).click();
      await page.locator('.ant-select-dropdown:visible').getByText('Dark').click();
      await becomes(() => page.locator('html').getAttribute('data-theme'), 'dark');
    },
  },
  {
    name: 'console: whoever has no role is told so, and nobody sees what is not for them',
    window: DESK,
    async run({ page }) {
      await page.goto('/console');
      await page.locator('#phone').fill(STAFF.player);
      await page.locator('#password').fill('windfall-demo');
      await page.locator('button[type=submit]').click();
      await page.getByRole('heading', { name: 'No role here' }).waitFor();
      await page.getByRole('button', { name: 'Sign in as somebody else' }).click();
      await page.locator('#phone').waitFor();
      await enter(page, 'reviewer');
      const links = await page.locator('.side nav a').allTextContents();
      for (const hidden of ['API keys', 'Audit log', 'Webhooks', 'Redeem codes']) {
        assert.ok(!links.includes(hidden), `${hidden} is not for reviewers`);
      }
      await page.getByRole('link', { name: 'Activities' }).click();
      await page.locator('.ant-table-row').first().waitFor();
      await becomes(() => page.getByRole('button', { name: 'New activity' }).count(), 0);
    },
  },
  {
    name: 'console: a refusal shows its words, its code and the id of the request',
    window: DESK,
    allow: ['401', '404'],
    async run({ page }) {
      await page.goto('/console');
      await page.locator('#phone').fill(STAFF.admin);
      await page.locator('#password').fill('not-the-password');
      await page.locator('button[type=submit]').click();
      const alert = page.getByRole('alert');
      await alert.getByText('credentials_wrong').waitFor();
      await alert.getByText(/Request [0-9a-f]+/).waitFor();
      await enter(page, 'admin', '/console/activities/1');
      await page.getByRole('alert').getByText('not_found').waitFor();
      await page.getByRole('button', { name: 'Try again' }).waitFor();
    },
  },
  {
    name: 'console: by keyboard only: sign in, skip to the page, open and leave a dialog',
    window: DESK,
    async run({ page }) {
      const tabTo = async (look, what) => {
        for (let times = 0; times < 60; times += 1) {
          await page.keyboard.press('Tab');
          if (await page.evaluate(look)) return;
        }
        throw new Error(`the keyboard does not get to ${what}`);
      };
      await page.goto('/console/jobs');
      await page.locator('#phone').waitFor();
      await tabTo(() => document.activeElement?.id === 'phone', 'the phone');
      await page.keyboard.type(STAFF.admin);
      await page.keyboard.press('Tab');
      await page.keyboard.type('windfall-demo');
      await page.keyboard.press('Enter');
      await page.locator('.ant-table-row').first().waitFor();
      await page.locator('body').focus();
      await tabTo(() => document.activeElement?.className === 'skip', 'the link that skips');
      await page.keyboard.press('Enter');
      await tabTo(() => document.activeElement?.textContent === 'Run now', 'a button of the table');
      await page.keyboard.press('Enter');
      await page.getByRole('dialog').waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'hidden' });
    },
  },
];
