// A hold from the list of its pool to its life, and what each step moved.
import assert from 'node:assert/strict';
import { client, DESK, enter, until } from './desk.mjs';

/** @type {import('../journey.js').Journey[]} */
export default [
  {
    name: 'console: a hold is found among those of its pool, and its page tells what each step of its life moved',
    window: DESK,
    async run({ page, url }) {
      const operator = await client(url, 'operator');
      const pool = 'store-9/mugs/blue';
      await operator.post('/inventory/pools', { id: 'hold-open', name: pool, total: 10 });
      await operator.post('/inventory/holds', {
        id: 'hold-journey',
        lines: [{ pool, quantity: 3 }],
        owner: 'shop-7',
        ttl_ms: 900_000,
      });
      await operator.post('/inventory/holds/hold-journey/confirm', { lines: [{ pool, quantity: 2 }] });
      await until(
        async () => (await operator.get('/inventory/holds/hold-journey')).life.length === 2,
        'its life',
      );

      await enter(page, 'operator', '/console/inventory');
      await page.getByRole('link', { name: pool }).click();
      await page.getByRole('link', { name: 'Holds of this pool' }).click();
      await page.getByRole('heading', { name: 'Holds' }).waitFor();
      const row = page.locator('.ant-table-row', { hasText: 'hold-journey' });
      await row.getByText('Confirmed').waitFor();
      assert.equal(await page.locator('.ant-table-row').count(), 1);
      await row.getByRole('link', { name: 'hold-journey' }).click();
      const life = page.getByTestId('life').locator('tbody tr');
      await life.nth(1).waitFor();
      const cells = async (at) => (await life.nth(at).locator('td').allTextContents()).slice(1);
      const [reserved, confirmed] = [await cells(0), await cells(1)];
      assert.match(reserved[0], /^Reserved until /);
      assert.deepEqual(reserved.slice(1), [pool, '-3', '+3', '']);
      assert.deepEqual(confirmed, ['Confirmed', pool, '+1', '-3', '+2']);
      await page.getByRole('link', { name: 'shop-7' }).click();
      await row.waitFor();
      await page.goBack();
      await page.getByTestId('life').getByRole('link', { name: pool }).first().click();
      await page.getByRole('link', { name: 'hold-journey' }).first().waitFor();
    },
  },
];
