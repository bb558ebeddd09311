// Composes the pictures of the READMEs from screenshots: Chromium lays a page out and takes its picture.
//
//   npm run screenshots && npm run screenshots:console && npm run pictures
//
// Reads journeys/shots and writes docs/pictures.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startBrowser } from '../journeys/browser.mjs';

const shots = join(import.meta.dirname, '../journeys/shots');
const pictures = join(import.meta.dirname, '../../docs/pictures');
const GAP = 12;
const PHONE = { width: 292, height: 633 };
const DESK = { width: 1013, height: 633 };

/** Each picture: what stands in it from left to right, as name, size and colours. */
const SHEETS = {
  play: [
    ['home', 'phone', 'light'],
    ['wheel', 'phone', 'light'],
    ['dialog-ten', 'phone', 'light'],
    ['grid', 'phone', 'dark'],
    ['check', 'phone', 'light'],
  ],
  sale: [
    ['sale', 'phone', 'light'],
    ['room', 'phone', 'light'],
    ['dialog-captcha', 'phone', 'dark'],
    ['order', 'phone', 'light'],
    ['items', 'phone', 'dark'],
  ],
  'sale-desk': [['sale', 'desktop', 'light']],
  console: [['console-running', 'desk', 'light']],
};

const browser = await startBrowser();
try {
  for (const [sheet, parts] of Object.entries(SHEETS)) {
    for (const language of ['en', 'zh']) {
      const files = parts.map(([name, size, colours]) => ({
        file: join(shots, `${name}.${size}.${language}.${colours}.png`),
        size: size === 'phone' ? PHONE : DESK,
      }));
      const missing = files.find(({ file }) => !existsSync(file));
      if (missing) {
        console.log(`${sheet}.${language}: left alone, there is no ${missing.file}`);
        continue;
      }
      await compose(files, join(pictures, `${sheet}.${language}.png`));
      console.log(`${sheet}.${language}.png`);
    }
  }
} finally {
  await browser.close();
}

/** The screenshots in a row, scaled to one height, the top of each. */
async function compose(files, path) {
  const width = files.reduce((sum, { size }) => sum + size.width, 0) + GAP * (files.length - 1);
  const page = await browser.newPage({ viewport: { width, height: PHONE.height } });
  const images = files.map(({ file, size }) => {
    const data = readFileSync(file).toString('base64');
    return `<img src="data:image/png;base64,${data}" width="${size.width}" height="${size.height}">`;
  });
  await page.setContent(
    `<body style="margin:0;display:flex;gap:${GAP}px;background:#fff">${images.join('')}</body>
     <style>img{object-fit:cover;object-position:top}</style>`,
  );
  await page.evaluate(() => Promise.all([...document.images].map((image) => image.decode())));
  await page.screenshot({ path });
  await page.close();
}
