// Journeys in a real browser on the real program, one after the other. Each has a window of its own, and none may leave
// an error on the console.
//
//   npm run journeys [-- only some words of a journey's name]
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromiumPath, openWindow, startBrowser } from './browser.mjs';
import { binary, startServer } from './server.mjs';

const journeys = (
  await Promise.all(
    [
      './play.mjs',
      './moment.mjs',
      './kept.mjs',
      './wins.mjs',
      './once.mjs',
      './sales.mjs',
      './buying.mjs',
      './languages.mjs',
      './trust.mjs',
      './goods.mjs',
      './cart.mjs',
      './pages.mjs',
      './people.mjs',
      './links.mjs',
      './shop.mjs',
      './community.mjs',
      './review.mjs',
      './checkIn.mjs',
      './inbox.mjs',
      './search.mjs',
      './fair.mjs',
      './console.mjs',
    ].map((file) => import(file)),
  )
).flatMap((part) => part.default);
const only = process.argv.slice(2);

if (!existsSync(binary)) throw new Error(`there is no ${binary}: build it with cargo build -p windfall`);
if (!existsSync(join(import.meta.dirname, '../dist/index.html')))
  throw new Error('there is no dist: npm run build');
if (!chromiumPath) throw new Error('there is no Chromium: apt-get install chromium');

// A phone is one person's: a journey that takes another's finds an account that it did not make. The demo's own are for all.
const owners = new Map();
const sources = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' }).filter((file) =>
  file.endsWith('.mjs'),
);
for (const file of sources) {
  for (const [phone] of readFileSync(join(import.meta.dirname, file), 'utf8').matchAll(/\b139\d{8}\b/g)) {
    const owner = owners.get(phone) ?? file;
    if (owner !== file)
      throw new Error(`${phone} is in ${owner} and in ${file}: each takes phones of its own`);
    owners.set(phone, owner);
  }
}

const server = await startServer();
const browser = await startBrowser();
let failed = 0;
try {
  for (const { name, run, window = {}, allow = [] } of journeys) {
    if (only.length > 0 && !only.some((word) => name.includes(word))) continue;
    const { context, page, errors } = await openWindow(browser, server.url, window);
    const began = performance.now();
    try {
      await run({ page, context, browser, url: server.url, advance: server.advance, server });
      const unexpected = errors.filter((error) => !allow.some((known) => error.includes(known)));
      if (unexpected.length > 0) throw new Error(`on the console:\n  ${unexpected.join('\n  ')}`);
      console.log(`ok      ${name} (${((performance.now() - began) / 1000).toFixed(1)} s)`);
    } catch (error) {
      failed += 1;
      console.log(`failed  ${name}\n${error.stack}\n${errors.join('\n')}`);
      const picture = process.env.WINDFALL_SHOTS;
      if (picture) await page.screenshot({ path: join(picture, `${name.replace(/\W+/g, '-')}.png`) });
    } finally {
      await context.close();
    }
  }
} finally {
  await browser.close();
  await server.stop();
}
if (failed > 0) {
  console.error(`${failed} journeys failed`);
  process.exit(1);
}
