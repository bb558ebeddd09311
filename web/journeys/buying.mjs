// Buying as people know it from shops: pictures, what it costs otherwise, a bar that stays, an address that is remembered.
import assert from 'node:assert/strict';
import { serious } from './axe.mjs';
import { becomes } from './patience.mjs';
import { buy, cardIn, pay, publish } from './sale.mjs';
import { signInByCode } from './steps.mjs';

/** @type {import('./journey.js').Journey[]} */
export default [
  {
    name: 'a sale shows its pictures, the usual price, the share sold, and a bar to buy that stays',
    window: { viewport: { width: 390, height: 700 } },
    async run({ page, url }) {
      const sale = await publish(url, {
        name: 'Three views',
        item: 'collectible',
        units: 4,
        per_user: 4,
        price_minor: 7500,
        list_price_minor: 10_000,
        pictures: ['🍵', '🫖', '📦'],
        details: 'One.\n'.repeat(40),
      });
      await signInByCode(page, '13900019101');
      await buy(page, sale);
      await pay(page);
      await cardIn(page, 'fulfilled').waitFor();
      await page.goto(`/sales/${sale}`);
      await page.locator('s', { hasText: '¥100' }).waitFor();
      await page.getByText('25% off').waitFor();
      await page.getByTestId('stock').getByText('25% sold').waitFor();
      await page.getByRole('button', { name: 'Picture 3' }).click();
      await page.getByText('Picture 3 of 3').waitFor({ state: 'attached' });
      // However far one has read, the way to buy is on the screen.
      await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
      const bar = await page.getByTestId('buy-bar').boundingBox();
      assert.ok(bar && bar.y > 0 && bar.y + bar.height <= 700, `the bar is at ${bar?.y}`);
      assert.deepEqual(await serious(page), []);
    },
  },
  {
    name: 'an address is chosen before paying and remembered; an unpaid order is on top; buy again',
    async run({ page, url }) {
      const sale = await publish(url, { name: 'Twice the same', units: 9, per_user: 9 });
      await signInByCode(page, '13900019102');
      await buy(page, sale);
      await pay(page);
      await cardIn(page, 'paid').waitFor();
      await page.getByText('Being packed.').waitFor();
      await page.getByRole('link', { name: 'Buy again' }).click();
      await page.locator('.buy-row .button:enabled').click();
      await cardIn(page, 'unpaid').waitFor();
      // Nothing is asked a second time.
      await page.getByTestId('ship-to').locator('input:checked').waitFor();
      assert.deepEqual(await serious(page), []);
      const order = new URL(page.url()).pathname;
      await page.goto('/');
      await page.getByTestId('unpaid').click();
      await page.waitForURL((address) => address.pathname === order);
      await page.goto('/me/orders');
      await page.locator('.order-row.unpaid').waitFor();
      const states = await page.locator('.order-row .order-state').allTextContents();
      assert.match(states[0] ?? '', /Waiting for your payment/);
      await page.locator('.order-row').first().click();
      await pay(page);
      await cardIn(page, 'paid').waitFor();
      await page.getByText('Being packed.').waitFor();
    },
  },
  {
    name: 'sales are grouped into sessions by the hour in which they start',
    async run({ page, url, server }) {
      const hour = 3_600_000;
      const now = server.stand();
      try {
        const next = (Math.floor(now / hour) + 3) * hour;
        await publish(url, { name: 'In some hours', startsIn: next - now });
        await page.goto('/');
        await page.getByRole('button', { name: 'On now', pressed: true }).waitFor();
        await becomes(() => page.locator('.sale-card', { hasText: 'In some hours' }).count(), 0);
        const shown = await page.evaluate(
          (at) =>
            new Intl.DateTimeFormat('en', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).format(
              at,
            ),
          next,
        );
        await page.getByRole('button', { name: new RegExp(`${shown}$`) }).click();
        await page.locator('.sale-card.soon', { hasText: 'In some hours' }).waitFor();
        assert.deepEqual(await serious(page), []);
      } finally {
        server.goOn();
      }
    },
  },
  {
    name: 'the captcha focuses its input, and asks in words whoever cannot see it',
    async run({ page, url }) {
      const sale = await publish(url, { name: 'Read this', item: 'collectible', gate: { captcha: true } });
      await signInByCode(page, '13900019103');
      await page.goto(`/sales/${sale}`);
      await page.locator('.buy-row .button:enabled').click();
      await page.locator('.captcha img').waitFor();
      await becomes(() => page.evaluate(() => document.activeElement?.getAttribute('name')), 'answer');
      await page.getByRole('button', { name: 'Cannot see the picture? Answer a question' }).click();
      await page.getByText(/^What is \w+ plus \w+ plus \w+\? Answer in digits\.$/).waitFor();
      await becomes(() => page.evaluate(() => document.activeElement?.getAttribute('name')), 'answer');
      assert.deepEqual(await serious(page), []);
      await page.keyboard.type(await page.getByTestId('captcha-answer').textContent());
      await page.keyboard.press('Enter');
      await cardIn(page, 'unpaid').waitFor();
      await page.locator('.order-ways .gold').click();
      await page.getByRole('button', { name: 'Pay now' }).waitFor();
      assert.deepEqual(await serious(page), []);
    },
  },
];
