// The cart: several sales in one order, all of them or none.
import assert from 'node:assert/strict';
import { client } from './console/desk.mjs';
import { becomes } from './patience.mjs';
import { cardIn, hasLeft, look, order, pay, publish } from './sale.mjs';
import { signInByCode } from './steps.mjs';

/** @param {import('playwright-core').Page} page */
async function putIn(page, sale) {
  await page.goto(`/sales/${sale}`);
  await page.getByRole('button', { name: 'Add to cart' }).click();
  await page.getByText('In your cart.').waitFor();
}

/** @type {import('./journey.js').Journey[]} */
export default [
  {
    name: 'three sales in one order, one of them with a picture to read, paid at once',
    async run({ page, url }) {
      const [tea, cup, stamp] = await Promise.all([
        publish(url, { name: 'Cart: tea', units: 9, per_user: 3 }),
        publish(url, { name: 'Cart: cup', units: 5, price_minor: 500, pictures: ['🍵'] }),
        publish(url, { name: 'Cart: stamp', item: 'collectible', units: 5, gate: { captcha: true } }),
      ]);
      // Before signing in too: a cart belongs to the device.
      await page.goto('/cart');
      await page.getByText('Your cart is empty').waitFor();
      await signInByCode(page, '13900006201');
      for (const sale of [tea, cup, stamp]) await putIn(page, sale);
      await page.getByRole('link', { name: 'Cart, 3 items' }).click();
      await page.getByRole('combobox', { name: 'How many of Cart: tea' }).selectOption('2');
      await page.getByTestId('cart-total').getByText('¥64.70').waitFor();
      // It is still there when the page comes back.
      await page.reload();
      await page.getByTestId('cart-total').getByText('¥64.70').waitFor();
      await hasLeft(url, tea, 9, 'nothing is held by being in a cart');
      await page.getByRole('button', { name: /^Order everything/ }).click();
      await page.locator('.captcha img').waitFor();
      await page.locator('input[name=answer]').fill(await page.getByTestId('captcha-answer').textContent());
      await page.getByRole('dialog').locator('button[type=submit]').click();
      await page.waitForURL((address) => address.pathname.startsWith('/orders/'));
      await cardIn(page, 'unpaid').waitFor();
      await becomes(() => page.locator('.order-lines li').count(), 4, 'three lines and their sum');
      await becomes(() => page.locator('.cart-link').count(), 0, 'what was ordered is out of the cart');
      await pay(page);
      await cardIn(page, 'paid').waitFor();
      await hasLeft(url, tea, 7);
      await hasLeft(url, cup, 4);
      await hasLeft(url, stamp, 4);
    },
  },
  {
    name: 'one thing is gone: nothing of the cart is ordered, and the rest can be had without it',
    async run({ page, url }) {
      const [tea, cup] = await Promise.all([
        publish(url, { name: 'Whole: tea', units: 5 }),
        publish(url, { name: 'Whole: cup', units: 1 }),
      ]);
      await signInByCode(page, '13900006202');
      for (const sale of [tea, cup]) await putIn(page, sale);
      await page.getByRole('link', { name: 'To the cart' }).click();
      const button = page.getByRole('button', { name: /^Order everything/ });
      await button.and(page.locator(':enabled')).waitFor();
      // Somebody else is faster, and this page does not know yet.
      const stale = await look(url, cup);
      await page.route(`**/api/v1/sales/${cup}`, (route) => route.fulfill({ json: stale }));
      await order(await client(url, 'player'), cup);
      await button.click();
      await page.getByRole('alert').waitFor();
      await page.getByText('Nothing was ordered.').waitFor();
      await hasLeft(url, tea, 5);
      await page.unroute(`**/api/v1/sales/${cup}`);
      await page.locator('.cart-line[data-obstacle=gone]', { hasText: 'Sold out' }).waitFor();
      await becomes(() => button.isEnabled(), false);
      await page.getByRole('button', { name: 'Remove Whole: cup' }).click();
      await button.click();
      await cardIn(page, 'unpaid').waitFor();
      await hasLeft(url, tea, 4);
    },
    // "Sold out" is answered with 409, which browsers write down.
    allow: ['409'],
  },
  {
    name: 'an order of a cart whose answer was lost is asked for again, and made once',
    allow: ['net::ERR'],
    async run({ page, url }) {
      const sales = await Promise.all(
        ['Lost: tea', 'Lost: cup'].map((name) => publish(url, { name, units: 5, per_user: 5 })),
      );
      await signInByCode(page, '13900006203');
      for (const sale of sales) await putIn(page, sale);
      await page.goto('/cart');
      let lost = 0;
      await page.route('**/attempts', async (route) => {
        if (lost > 0) return route.continue();
        lost += 1;
        await route.fetch();
        await route.abort();
      });
      await page.getByRole('button', { name: /^Order everything/ }).click();
      await cardIn(page, 'unpaid').waitFor();
      assert.equal(lost, 1);
      for (const id of sales) await hasLeft(url, id, 4);
    },
  },
];
