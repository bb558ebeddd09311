// Takes a picture of every players' page: phone and desktop, both languages, light and dark.
//
//   npm run screenshots [-- only some words of a page's name]
//
// They land in journeys/shots, which is not committed.

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { openWindow, startBrowser } from './browser.mjs';
import { NAMES } from './names.mjs';
import { publish, saleNamed } from './sale.mjs';
import { startServer } from './server.mjs';
import { activityNamed, asAdmin, signInByCode } from './steps.mjs';

const shots = join(import.meta.dirname, 'shots');
const only = process.argv.slice(2);
const SIZES = { phone: { width: 390, height: 844 }, desktop: { width: 1280, height: 800 } };
const LOOKS = [
  ['phone', 'zh-CN', 'light'],
  ['phone', 'en', 'dark'],
  ['desktop', 'en', 'light'],
  ['desktop', 'zh-CN', 'dark'],
  ['phone', 'en', 'light'],
  ['phone', 'zh-CN', 'dark'],
  ['desktop', 'zh-CN', 'light'],
  ['desktop', 'en', 'dark'],
];

let eight;
let cup;
mkdirSync(shots, { recursive: true });
const server = await startServer();
const browser = await startBrowser();
try {
  const looks = process.env.LOOKS ? LOOKS.slice(0, Number(process.env.LOOKS)) : LOOKS;
  for (const [number, [size, locale, colorScheme]] of looks.entries()) {
    const { context, page } = await openWindow(browser, server.url, {
      viewport: SIZES[size],
      locale,
      colorScheme,
    });
    const shot = async (name) => {
      if (only.length > 0 && !only.some((word) => name.includes(word))) return;
      await page.evaluate(() => document.fonts.ready);
      const file = `${name}.${size}.${locale.slice(0, 2)}.${colorScheme}.png`;
      await page.screenshot({
        path: join(shots, file),
        fullPage: Boolean(process.env.FULL) && !name.includes('dialog'),
      });
      console.log(file);
    };
    // Somebody new each time, with all their chances.
    await pages(page, shot, `1390000020${number}`);
    await context.close();
  }
} finally {
  await browser.close();
  await server.stop();
}

/** @param {import('playwright-core').Page} page */
async function pages(page, shot, phone) {
  const [wheel, box, grid, raffle] = await Promise.all(
    ['Spring wheel', 'Blind box', 'Nine-grid', 'Year-end raffle'].map((name) =>
      activityNamed(server.url, name),
    ),
  );
  await page.goto('/');
  await page.locator('.activity').first().waitFor();
  await shot('home');
  await page.goto('/sign-in');
  await page.getByLabel(NAMES.phone).waitFor();
  await shot('sign-in');
  await page.goto('/register');
  await page.getByLabel(NAMES.phone).waitFor();
  await shot('register');
  await page.goto('/nowhere');
  await page.locator('.state').waitFor();
  await shot('nowhere');
  await signInByCode(page, phone);
  await page.goto(`/activities/${wheel}`);
  await page.locator('.hub:enabled').waitFor();
  await shot('wheel');
  await page.locator('.hub').click();
  await page.getByRole('dialog').waitFor();
  await page.waitForTimeout(500);
  await shot('dialog-one');
  await page.getByRole('dialog').getByRole('button', { name: NAMES.close }).click();
  await page.locator('.stage-foot .button.gold').click();
  await page.locator('dialog .ten-card.open').nth(9).waitFor();
  await page.waitForTimeout(1500);
  await shot('dialog-ten');
  await page.goto(`/activities/${grid}`);
  await page.locator('.grid').waitFor();
  await shot('grid');
  await page.goto(`/activities/${box}`);
  await page.locator('.box-game').waitFor();
  await shot('box');
  await page.locator('.views label', { hasText: /Reels|老虎机/ }).click();
  await shot('reels');
  await page.goto(`/activities/${raffle}`);
  await page.locator('.entry').waitFor();
  await shot('raffle');
  await page.goto(`/activities/${wheel}/odds`);
  await page.locator('.odds').waitFor();
  await shot('odds');
  await page.goto(`/activities/${wheel}/draws`);
  await page.locator('.rows .row').first().waitFor();
  await shot('draws');
  await asAdmin(server.url, `/activities/${wheel}/winners/publish`, {});
  await page.goto(`/activities/${wheel}/winners`);
  await page.locator('.winners, .state').waitFor();
  await shot('winners');
  await page.goto(`/activities/${wheel}/draws`);
  await page.locator('.rows .row').first().click();
  await page.locator('.seal').waitFor();
  await shot('check');
  await sales(page, shot);
  for (const [path, name, sign] of [
    ['/me/orders', 'orders', '.order-row'],
    ['/me/items', 'items', '.item'],
    ['/me/wins', 'wins', '.win, .state'],
    ['/me/points', 'points', '.balance'],
    ['/shop', 'shop', '.offer'],
    ['/me', 'me', '.who'],
    ['/me/addresses', 'addresses', '.button.primary'],
    ['/me/security', 'security', '.card'],
  ]) {
    await page.goto(path);
    await page.locator(sign).first().waitFor();
    await page.waitForTimeout(300);
    await shot(name);
  }
  await page.goto('/me/addresses');
  await page.locator('.button.primary').click();
  await page.getByRole('dialog').waitFor();
  await page.waitForTimeout(300);
  await shot('dialog-address');
}

/**
 * Buying, step by step: the line, the picture, the order, and what came of it.
 *
 * @param {import('playwright-core').Page} page
 */
async function sales(page, shot) {
  const [teapot, gone, numbered] = await Promise.all(
    ['Noon sale', 'Early birds', 'Digital collectible'].map((name) => saleNamed(server.url, name)),
  );
  // One for all looks: the line before its door grows with each of them.
  eight ??= publish(server.url, {
    name: '晚八点开抢 At eight tonight',
    startsIn: 590_000,
    pictures: ['🍵'],
    gate: { room: { per_second: 1 } },
  });
  const soon = await eight;
  cup ??= publish(server.url, {
    name: '品茗杯 Tasting cup',
    price_minor: 4900,
    units: 40,
    per_user: 4,
    pictures: ['🍵'],
  });
  const mug = await cup;
  await page.goto(`/sales/${gone}`);
  await page.locator('.buy .button').waitFor();
  await shot('sale-gone');
  await page.goto(`/sales/${soon}`);
  await page.locator('.sale-standing.soon').waitFor();
  await shot('sale-soon');
  await page.locator('.buy .button').last().click();
  await page.locator('.room[data-state=waiting]').waitFor();
  await shot('room');
  for (const sale of [teapot, mug]) {
    await page.goto(`/sales/${sale}`);
    await page.locator('.into-cart').click();
  }
  await page.goto('/cart');
  await page.locator('.cart-line').nth(1).waitFor();
  await page.waitForTimeout(300);
  await shot('cart');
  for (const _ of [teapot, mug]) await page.locator('.cart-line .icon-button').first().click();
  await page.goto(`/sales/${teapot}`);
  await page.locator('.buy-row .button:enabled').waitFor();
  await shot('sale');
  await page.locator('.buy-row .button:enabled').click();
  await page.locator('.order-card').waitFor();
  await page.waitForTimeout(300);
  await shot('order');
  await page.locator('.order-ways .gold').click();
  await page.locator('button[value=pay]').waitFor();
  await shot('sandbox');
  await page.locator('button[value=pay]').click();
  await page.locator('.order-card[data-state=paid]').waitFor();
  await shot('order-paid');
  await page.goto(`/sales/${numbered}`);
  await page.locator('.buy .button:enabled').click();
  await page.locator('.room[data-state=admitted]').waitFor();
  await shot('turn');
  await page.locator('.buy-row select').selectOption('2');
  await page.locator('.buy-row .button:enabled').click();
  await page.locator('.captcha img').waitFor();
  await page.waitForTimeout(300);
  await shot('dialog-captcha');
  await page.locator('input[name=answer]').fill(await page.getByTestId('captcha-answer').textContent());
  await page.getByRole('dialog').locator('button[type=submit]').click();
  await page.locator('.order-ways .gold').click();
  await page.locator('button[value=pay]').click();
  await page.locator('.order-card[data-state=fulfilled]').waitFor();
}
