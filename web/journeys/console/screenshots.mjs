// Takes a picture of every page of the console: wide and narrow, both languages, light and dark.
//
//   node journeys/console/screenshots.mjs [only some words of a page's name]
//
// They land in journeys/shots, which is not committed.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { openWindow, startBrowser } from '../browser.mjs';
import { startServer } from '../server.mjs';
import { fill } from './data.mjs';
import { enter } from './desk.mjs';
import { pagesOf } from './pages.mjs';

const shots = join(import.meta.dirname, '../shots');
const only = process.argv.slice(2);
const SIZES = { desk: { width: 1280, height: 800 }, phone: { width: 390, height: 844 } };
const LOOKS = [
  ['desk', 'en', 'light'],
  ['phone', 'zh-CN', 'dark'],
  ['desk', 'zh-CN', 'dark'],
  ['phone', 'en', 'light'],
  ['desk', 'zh-CN', 'light'],
];

mkdirSync(shots, { recursive: true });
const server = await startServer();
const browser = await startBrowser();
try {
  const ids = await fill(server.url);
  for (const [size, locale, colorScheme] of LOOKS.slice(0, Number(process.env.LOOKS ?? LOOKS.length))) {
    const { context, page, errors } = await openWindow(browser, server.url, {
      viewport: SIZES[size],
      locale,
      colorScheme,
      reducedMotion: 'reduce',
    });
    const shot = (name) =>
      page.screenshot({
        path: join(shots, `console-${name}.${size}.${locale.slice(0, 2)}.${colorScheme}.png`),
        fullPage: Boolean(process.env.FULL),
      });
    await page.goto('/console');
    await page.locator('#phone').waitFor();
    await shot('sign-in');
    await enter(page, 'admin');
    for (const [name, path, sign] of pagesOf(ids)) {
      if (only.length > 0 && !only.some((word) => name.includes(word))) continue;
      await page.goto(path);
      await page.locator(sign).first().waitFor();
      await page
        .locator('.chart canvas')
        .first()
        .waitFor({ timeout: 1000 })
        .catch(() => {});
      await page.waitForTimeout(600);
      await shot(name);
      console.log(name, size, locale, colorScheme);
    }
    for (const error of errors) console.log('on the console:', error);
    await context.close();
  }
} finally {
  await browser.close();
  await server.stop();
}
