// Accounts: registering, addresses, language, colours, keyboard.

import assert from 'node:assert/strict';
import { openWindow } from './browser.mjs';
import { DESK, enter } from './console/desk.mjs';
import { NAMES } from './names.mjs';
import { becomes, until } from './patience.mjs';
import { activityNamed, fillAddress, signInByCode, signInByPassword } from './steps.mjs';

/**
 * Registers with a password, on the page; who it is then.
 *
 * @param {import('playwright-core').Page} page
 */
async function register(page, { phone, name, password }) {
  await page.goto('/register');
  await page.getByLabel('Phone').fill(phone);
  await page.getByRole('button', { name: 'Send code' }).click();
  await page.getByLabel('Code').fill(await page.getByTestId('demo-code').textContent());
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('Password').fill(password);
  await page.locator('button[type=submit]').click();
  await page.waitForURL((url) => url.pathname === '/');
  return page.evaluate(async () => (await fetch('/api/v1/me')).json());
}

/** @type {import('./journey.js').Journey[]} */
export default [
  {
    name: 'register, keep an address, sign out and in again by password',
    async run({ page }) {
      await register(page, { phone: '13900002001', name: 'Wind', password: 'leaves-in-autumn' });
      await page.goto('/me/addresses');
      await page.getByRole('button', { name: 'Add an address' }).click();
      await fillAddress(page, '13900002001');
      // A place outside of the lists is written by hand.
      await page.getByRole('button', { name: 'Not in the list? Write it yourself' }).click();
      await page.getByLabel('Region', { exact: true }).fill('Shanghai');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.locator('.card', { hasText: 'Century Avenue 1' }).waitFor();
      await page.goto('/me');
      await page.getByRole('button', { name: 'Sign out' }).click();
      await page.waitForURL((url) => url.pathname === '/');
      await page.getByRole('link', { name: 'Sign in' }).waitFor();
      await signInByPassword(page, '13900002001', 'leaves-in-autumn');
      await page.goto('/me');
      await page.getByRole('heading', { name: 'Wind' }).waitFor();
    },
  },
  {
    name: 'a wrong password is told beside the form in words, without a request number',
    allow: ['401'],
    async run({ page }) {
      await page.goto('/sign-in');
      await page.getByLabel('By password').check();
      await page.getByLabel('Phone').fill('13800000001');
      // What is empty is told beside its field, and not sent.
      await page.locator('button[type=submit]').click();
      await page.getByRole('alert').getByText('Please fill this in.').waitFor();
      await becomes(() => page.getByLabel('Password', { exact: true }).getAttribute('aria-invalid'), 'true');
      await page.getByLabel('Password', { exact: true }).fill('not-the-password');
      await becomes(() => page.getByText('Please fill this in.').count(), 0);
      await page.locator('button[type=submit]').click();
      const told = page.getByRole('alert').filter({ hasText: /password/i });
      await told.waitFor();
      assert.doesNotMatch(await told.innerText(), /Request [0-9a-f]+/);
    },
  },
  {
    name: 'the language is the browser’s first, can be switched, and stays',
    window: { locale: 'zh-CN' },
    async run({ page }) {
      await page.goto('/');
      await page.getByRole('heading', { name: '进行中' }).waitFor();
      await becomes(() => page.locator('html').getAttribute('lang'), 'zh-CN');
      await page.getByRole('button', { name: /切换到英文/ }).click();
      await page.getByRole('heading', { name: 'Running now' }).waitFor();
      await page.goto('/sign-in');
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
      await page.reload();
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
      await becomes(() => page.locator('html').getAttribute('lang'), 'en');
    },
  },
  {
    name: 'by keyboard only: sign in, draw, close',
    async run({ page, url }) {
      const wheel = await activityNamed(url, 'Spring wheel');
      const tabTo = async (look) => {
        for (let times = 0; times < 40; times += 1) {
          await page.keyboard.press('Tab');
          if (await page.evaluate(look)) return;
        }
        throw new Error(`the keyboard does not get to ${look}`);
      };
      await page.goto('/sign-in');
      await page.getByLabel(NAMES.phone).waitFor();
      await tabTo(() => document.activeElement?.getAttribute('name') === 'way');
      await page.keyboard.press('ArrowRight');
      await page.getByLabel(NAMES.password).waitFor();
      await tabTo(() => document.activeElement?.getAttribute('name') === 'phone');
      await page.keyboard.type('13800000001');
      await page.keyboard.press('Tab');
      await page.keyboard.type('windfall-demo');
      await page.keyboard.press('Enter');
      await page.waitForURL((address) => address.pathname === '/');
      await page.goto(`/activities/${wheel}`);
      await page.locator('.hub:enabled').waitFor();
      await tabTo(() => document.activeElement?.classList.contains('hub') ?? false);
      const outline = await page.locator('.hub').evaluate((hub) => getComputedStyle(hub).outlineStyle);
      assert.notEqual(outline, 'none', 'the focus is seen');
      await page.keyboard.press('Enter');
      await page.getByRole('dialog').waitFor();
      assert.ok(
        await page.evaluate(() => document.activeElement?.closest('dialog') !== null),
        'the focus is in the dialog',
      );
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    },
  },
  {
    name: 'a spent link says so, and its token leaves the address bar',
    allow: ['401'],
    async run({ page }) {
      await page.goto('/enter#wfl_0000000000000000000000000000000000000000000000000000000000000000');
      await page.getByRole('alert').waitFor();
      assert.equal(new URL(page.url()).hash, '', 'the token has left the address bar');
    },
  },
  {
    name: 'whoever is banned is signed out at once, told why when they sign in, and welcome again afterwards',
    allow: ['401', '403'],
    async run({ page, browser, url }) {
      const who = { phone: '13900002003', name: 'Storm', password: 'clouds-in-spring' };
      const { id } = await register(page, who);
      const wheel = await activityNamed(url, 'Spring wheel');
      await page.goto(`/activities/${wheel}`);
      await page.locator('.hub:enabled').waitFor();

      const admin = await openWindow(browser, url, DESK);
      await enter(admin.page, 'admin', `/console/users/${id}`);
      const act = async (label, reason) => {
        await admin.page.getByRole('button', { name: label, exact: true }).click();
        const dialog = admin.page.getByRole('dialog');
        if (reason) await dialog.getByLabel('Reason').fill(reason);
        await dialog.getByRole('button', { name: label, exact: true }).click();
        await dialog.waitFor({ state: 'detached' });
      };
      await act('Ban', 'three accounts, one person');

      await page.locator('.hub').click();
      await page.getByText('Your session has ended.').waitFor();
      await page.getByRole('link', { name: 'Sign in to draw' }).waitFor();
      // Everybody may look, also whoever may not play.
      await page.goto('/');
      await page.locator('.activity').first().waitFor();
      await page.goto('/sign-in');
      await page.getByLabel('By password').check();
      await page.getByLabel('Phone').fill(who.phone);
      await page.getByLabel('Password', { exact: true }).fill(who.password);
      await page.locator('form button[type=submit]').click();
      await page.getByRole('alert').getByText('three accounts, one person').waitFor();
      assert.equal(new URL(page.url()).pathname, '/sign-in');

      await act('Lift the ban');
      await page.locator('form button[type=submit]').click();
      await page.waitForURL((address) => address.pathname === '/');
      await page.goto(`/activities/${wheel}`);
      await page.locator('.hub:enabled').waitFor();
      assert.deepEqual(admin.errors, []);
      await admin.context.close();
    },
  },
  {
    name: 'colours can be chosen and stay',
    window: { colorScheme: 'light' },
    async run({ page }) {
      await signInByCode(page, '13900002002');
      await page.goto('/me');
      await page.getByLabel('Dark').check();
      await becomes(() => page.locator('html').getAttribute('data-theme'), 'dark');
      await page.reload();
      await page.getByText('Dark').waitFor();
      await becomes(() => page.locator('html').getAttribute('data-theme'), 'dark');
    },
  },
  {
    name: 'offline is said, and the page goes on by itself',
    allow: ['net::ERR', 'Failed to load resource'],
    async run({ page, context }) {
      await page.goto('/');
      await page.locator('.activity').first().waitFor();
      await context.setOffline(true);
      await page.getByText('You are offline.').waitFor();
      await context.setOffline(false);
      await page.getByText('You are offline.').waitFor({ state: 'detached' });
      await page.locator('.activity').first().click();
      await page.locator('.stage').waitFor();
    },
  },
  {
    name: 'going back to a page shows the place where it was left, and a new page begins at the top',
    async run({ page }) {
      const place = () => page.evaluate(() => Math.round(window.scrollY));
      await page.goto('/');
      const last = page.getByRole('main').getByRole('link').last();
      await last.scrollIntoViewIfNeeded();
      await until(async () => (await place()) > 100, 'the first page is scrolled');
      const left = await place();
      await last.click();
      await page.waitForURL((url) => url.pathname !== '/');
      await becomes(place, 0, 'a new page begins at the top');
      await page.goBack();
      await becomes(place, left, 'the first page is where it was');
    },
  },
  {
    name: 'a page whose file cannot be fetched takes nothing else with it, and comes when it can be',
    allow: ['Failed to load resource', 'net::ERR_FAILED', 'the page did not come'],
    async run({ page }) {
      await page.route('**/assets/Shop-*.js', (route) => route.abort());
      await page.goto('/shop');
      await page.getByRole('alert').getByRole('button', { name: 'Reload the page' }).waitFor();
      await page.getByRole('link', { name: 'Home', exact: true }).click();
      await page.getByRole('main').getByRole('link').first().waitFor();
      assert.equal(await page.getByRole('alert').count(), 0);
      await page.unroute('**/assets/Shop-*.js');
      await page.goto('/shop');
      await page.getByRole('heading', { name: 'Shop', exact: true }).waitFor();
    },
  },
];
