// Debian's Chromium, driven by playwright-core. Every page is watched: an error on its console fails the journey.
import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';
import { PATIENCE_MS } from './patience.mjs';

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
export const chromiumPath = process.env.CHROMIUM ?? PLACES.find((place) => existsSync(place));

export async function startBrowser() {
  // Containers run as root, where Chromium's own sandbox cannot be had.
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  return chromium.launch({
    executablePath: chromiumPath,
    timeout: PATIENCE_MS,
    args: [...args, '--disable-gpu', '--font-render-hinting=none'],
  });
}

/** A window of its own: no cookies, no storage. `errors` gathers what its console complains about. */
export async function openWindow(browser, url, options = {}) {
  const context = await browser.newContext({
    baseURL: url,
    viewport: { width: 390, height: 844 },
    locale: 'en',
    reducedMotion: 'no-preference',
    ...options,
  });
  const errors = [];
  context.on('weberror', (error) => errors.push(String(error.error())));
  const page = await context.newPage();
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(`${message.text()} ${message.location().url}`);
  });
  page.setDefaultTimeout(PATIENCE_MS);
  return { context, page, errors };
}
