// What a page has that would keep somebody from using it, as axe-core sees it once the page stands still.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const SERIOUS = ['serious', 'critical'];

/**
 * Until nothing that ends is moving: halfway through a fade, colours are nobody's choice.
 *
 * @param {import('playwright-core').Page} page
 */
export async function still(page) {
  for (const _ of ['before a movement begins', 'and after it']) {
    await page.evaluate(
      () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
    );
    await page.waitForFunction(() =>
      document
        .getAnimations()
        .every((one) => one.playState !== 'running' || one.effect?.getTiming().iterations === Infinity),
    );
  }
}

/**
 * Serious findings, a text each.
 *
 * @param {import('playwright-core').Page} page
 */
export async function serious(page) {
  await still(page);
  // The strict policy of the page lets no script in; the debugger's way is not bound by it.
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ['violations'] }));
  return violations
    .filter(({ impact }) => SERIOUS.includes(impact))
    .map(
      ({ id, nodes }) =>
        `${id}: ${nodes.map((node) => `${node.html.slice(0, 200)} ${node.failureSummary}`).join('\n    ')}`,
    );
}
