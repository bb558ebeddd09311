// What is bought besides parcels, and what is bought without being held: codes, and sales that deduct at payment.
import assert from 'node:assert/strict';
import { client } from './console/desk.mjs';
import { becomes, glimpse } from './patience.mjs';
import { buy, cardIn, hasLeft, look, order, pay, press, publish, reprice } from './sale.mjs';
import { signInByCode } from './steps.mjs';

/** @type {import('./journey.js').Journey[]} */
export default [
  {
    name: 'buy a code, see it as soon as it is paid, and copy it',
    async run({ page, context, url }) {
      await context.grantPermissions(['clipboard-read', 'clipboard-write']);
      const operator = await client(url, 'operator');
      const { id: pool } = await operator.post('/code-pools', { name: 'film tickets' });
      await operator.list(`/code-pools/${pool}/codes`, ['FILM-0001', 'FILM-0002', 'FILM-0003']);
      const sale = await publish(url, {
        name: 'Films tonight',
        item: 'code',
        pool,
        units: 3,
        pictures: ['🎬'],
      });
      await signInByCode(page, '13900006101');
      await page.goto(`/sales/${sale}`);
      await page.getByText('A code, shown in your order once it is paid.').waitFor();
      await buy(page, sale);
      await becomes(() => page.locator('.copy').count(), 0, 'nothing is shown before it is paid');
      await pay(page);
      await cardIn(page, 'fulfilled').waitFor();
      const code = await page.locator('.copy code').textContent();
      assert.match(code, /^FILM-000\d$/);
      const copied = glimpse(page, 'Copied');
      await page.getByRole('button', { name: 'Copy the code' }).click();
      await copied;
      assert.equal(await page.evaluate(() => navigator.clipboard.readText()), code);
    },
  },
  {
    name: 'the units of a sale are told live',
    async run({ page, url }) {
      const sale = await publish(url, { name: 'Going fast', units: 5 });
      const stock = page.getByTestId('stock');
      await page.goto(`/sales/${sale}`);
      await stock.getByText('5 of 5 left').waitFor();
      // Asking would bring nothing new: what the page shows next can only have been told.
      const stale = await look(url, sale);
      await page.route(`**/api/v1/sales/${sale}`, (route) => route.fulfill({ json: stale }));
      await order(await client(url, 'player'), sale);
      await stock.getByText('4 of 5 left').waitFor();
    },
  },
  {
    name: 'a price that changed between showing and pressing is asked about, and nobody pays it unasked',
    // The refusal is a 409, which browsers write down; and the stream is kept from the page for a while.
    allow: ['409', 'net::ERR'],
    async run({ page, url }) {
      const sale = await publish(url, { name: 'Dearer soon', units: 5, per_user: 5 });
      await signInByCode(page, '13900006104');
      await page.goto(`/sales/${sale}`);
      await page.getByRole('button', { name: 'Buy · ¥19.90' }).waitFor();
      // The page does not hear of the new version before the button is pressed.
      const stale = await look(url, sale);
      await page.route(`**/api/v1/sales/${sale}`, (route) => route.fulfill({ json: stale }));
      await page.route(`**/api/v1/sales/${sale}/live`, (route) => route.abort());
      await page.reload();
      await page.getByRole('button', { name: 'Buy · ¥19.90' }).waitFor();
      await reprice(url, sale, 2490);
      await page.getByRole('button', { name: 'Buy · ¥19.90' }).click();
      await page
        .getByTestId('new-price')
        .getByText('It was ¥19.90 when you pressed, and is ¥24.90 now.')
        .waitFor();
      await hasLeft(url, sale, 5, 'nothing was ordered');
      await page.unroute(`**/api/v1/sales/${sale}`);
      await page.unroute(`**/api/v1/sales/${sale}/live`);
      await page.getByRole('dialog').getByRole('button', { name: 'Buy · ¥24.90' }).click();
      await cardIn(page, 'unpaid').waitFor();
      await page.locator('.order-sum', { hasText: '¥24.90' }).waitFor();
    },
  },
  {
    name: 'deducted at payment: nothing is held, and whoever pays first has it',
    async run({ page, url }) {
      const sale = await publish(url, { name: 'First to pay', policy: 'at_payment', units: 1 });
      await signInByCode(page, '13900006102');
      await page.goto(`/sales/${sale}`);
      await page.getByText('Nothing is reserved: first to pay, first served.').first().waitFor();
      await becomes(
        () => page.getByRole('button', { name: 'Add to cart' }).count(),
        0,
        'it is bought by itself',
      );
      await buy(page, sale);
      await page.getByText('Nothing is reserved: first to pay, first served.').waitFor();
      await hasLeft(url, sale, 1);
      await pay(page);
      await cardIn(page, 'paid').waitFor();
      await hasLeft(url, sale, 0);
    },
  },
  {
    name: 'deducted at payment: paid when it was gone, the money goes back, and the page says why',
    async run({ page, url }) {
      const sale = await publish(url, { name: 'Second to pay', policy: 'at_payment', units: 1 });
      await signInByCode(page, '13900006103');
      await buy(page, sale);
      // Somebody else pays first.
      await press(url, await order(await client(url, 'player'), sale), 'pay');
      await pay(page);
      await cardIn(page, 'refunded').waitFor();
      await page.getByText('Nothing was left when you paid.').waitFor();
      await page.locator('.order-facts', { hasText: 'refunded (sold out)' }).waitFor();
      await page.goto('/me/orders');
      await page.locator('.order-row', { hasText: 'Refunded' }).waitFor();
    },
  },
];
