// The shop: points buy things, once.

import { becomes } from './patience.mjs';
import { asAdmin, signInByCode } from './steps.mjs';

/** @type {import('./journey.js').Journey[]} */
export default [
  {
    name: 'spend points in the shop, and get a code with its button to copy',
    async run({ page, url }) {
      await signInByCode(page, '13900005001');
      const me = await page.evaluate(async () => (await fetch('/api/v1/me')).json());
      await asAdmin(url, `/admin/users/${me.id}/points`, { points: 200, reason: 'for the journey' });
      await page.goto('/me/points');
      await page.locator('.balance', { hasText: '200' }).waitFor();
      await page.getByRole('link', { name: 'Spend points in the shop' }).click();
      await page.getByRole('button', { name: /Buy .*A week of films/ }).click();
      await page.getByRole('dialog').locator('button[type=submit]').click();
      await page.getByText(/^Bought: .*A week of films/).waitFor();
      await page.locator('.win .copy code', { hasText: 'DEMO-SHOP-' }).waitFor();
      await page.getByText('You have 80 points.').waitFor();
      // Too little for another one: the offer says so, and its button does nothing.
      const another = page.getByRole('button', { name: /Buy .*A week of films/ });
      await becomes(() => another.isDisabled(), true);
      await becomes(() => page.locator('.win').count(), 1);
    },
  },
];
