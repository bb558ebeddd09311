// How long a journey waits for what surely comes, and how: far beyond what anything takes on the busiest machine, so that
// only a real hang ends a wait.
import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';

export const PATIENCE_MS = 60_000;
const PAUSE_MS = 50;

export const pause = () => new Promise((resolve) => setTimeout(resolve, PAUSE_MS));

/** Waits until `look` answers something. */
export async function until(look, what) {
  const end = Date.now() + PATIENCE_MS;
  for (;;) {
    const found = await look();
    if (found) return found;
    if (Date.now() > end) throw new Error(`in vain: ${what}`);
    await pause();
  }
}

/** Waits until `look` answers this: pages and figures follow what was done by a moment. */
export async function becomes(look, expected, what) {
  const end = Date.now() + PATIENCE_MS;
  for (;;) {
    const found = await look();
    if (isDeepStrictEqual(found, expected)) return;
    if (Date.now() > end) assert.deepEqual(found, expected, what);
    await pause();
  }
}

/**
 * Begins to watch for a text that is shown for a moment only; the answer waits until it was. The page itself remembers it,
 * however late somebody looks.
 *
 * @param {import('playwright-core').Page} page
 */
export function glimpse(page, text) {
  return page.evaluate(
    (words) =>
      new Promise((/** @type {(value?: unknown) => void} */ resolve) => {
        const look = () => document.body.textContent.includes(words) && resolve();
        new MutationObserver(look).observe(document.body, {
          subtree: true,
          childList: true,
          characterData: true,
        });
        look();
      }),
    text,
  );
}
