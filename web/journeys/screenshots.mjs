// Takes a picture of every players' page: phone and desktop, both languages, light and dark.
//
//   npm run screenshots [-- only some words of a page's name]
//
// They land in journeys/shots, which is not committed.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { openWindow, startBrowser } from './browser.mjs';
import { startServer } from './server.mjs';
import { activityNamed, signInByCode } from './steps.mjs';

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
  await page.locator('input[name=phone]').waitFor();
  await shot('sign-in');
  await page.goto('/register');
  await page.locator('input[name=phone]').waitFor();
  await shot('register');
  await page.goto('/nowhere');
  await page.locator('.state').waitFor();
  await shot('nowhere');
  await signInByCode(page, phone);
  await page.goto(`/activities/${wheel}`);
  await page.locator('.hub:enabled').waitFor();
  await shot('wheel');
  await page.locator('.hub').click();
  await page.locator('dialog').waitFor();
  await page.waitForTimeout(500);
  await shot('dialog-one');
  await page.locator('dialog .icon-button').click();
  await page.locator('.stage-foot .button.gold').click();
  await page.locator('dialog').waitFor();
  await page.waitForTimeout(4500);
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
  await page.locator('.rows .row').first().click();
  await page.locator('.seal').waitFor();
  await shot('check');
  for (const [path, name, sign] of [
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
  await page.locator('dialog').waitFor();
  await page.waitForTimeout(300);
  await shot('dialog-address');
}
