// Buying: through the gate to an order, and what can become of it.
import assert from 'node:assert/strict';
import { becomes } from './patience.mjs';
import { buy, cardIn, hasLeft, look, pay, publish, saleNamed } from './sale.mjs';
import { fillAddress, signInByCode } from './steps.mjs';

/** @type {import('./journey.js').Journey[]} */
export default [
  {
    name: 'buy in a flash sale, say where the parcel goes, and pay',
    async run({ page, url }) {
      await signInByCode(page, '13900006001');
      const sale = await saleNamed(url, 'Noon sale');
      const before = await look(url, sale);
      await page.goto('/');
      await page.locator('.sale-card', { hasText: before.item.name_en }).click();
      await page.getByTestId('stock').getByText(`of ${before.units} left`).waitFor();
      await page.getByRole('button', { name: /^Buy/ }).click();
      await page.waitForURL((address) => address.pathname.startsWith('/orders/'));
      await page.getByText('Waiting for your payment').waitFor();
      assert.match(await page.getByTestId('hold').textContent(), /1[0-5]:\d\d/);
      await hasLeft(url, sale, before.left - 1);
      // Nobody pays before it is said where it goes.
      await page.locator('.order-ways .gold').click();
      await page.getByText('Choose where it should go.').waitFor();
      await page.getByRole('button', { name: 'New address' }).click();
      await fillAddress(page, '13900006001');
      await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
      await page.getByRole('radio', { name: /浙江省 杭州市 西湖区 Century Avenue 1/ }).waitFor();
      await pay(page);
      await cardIn(page, 'paid').waitFor();
      await page.getByText('Being packed.').waitFor();
      await page.getByRole('link', { name: 'Buy again' }).waitFor();
      await page.goto('/me/orders');
      await page.locator('.order-row', { hasText: 'Paid' }).waitFor();
      // One each: another one is refused in the server's words, with the way to what there is.
      await page.goto(`/sales/${sale}`);
      await page.locator('.buy-row .button:enabled').click();
      await page.getByRole('alert').waitFor();
      await page.getByRole('link', { name: 'To my orders' }).waitFor();
    },
  },
  {
    name: 'through the waiting room and the picture to a numbered collectible, in Chinese on a phone',
    window: { locale: 'zh-CN' },
    // A wrong answer is told with 403, which browsers write down.
    allow: ['403'],
    async run({ page, url }) {
      await signInByCode(page, '13900006002');
      const sale = await saleNamed(url, 'Digital collectible');
      await page.goto(`/sales/${sale}`);
      await page.getByRole('button', { name: '进入排队' }).click();
      await page.locator('.room[data-state=admitted]').waitFor();
      await page.getByRole('combobox', { name: '数量' }).selectOption('2');
      await page.locator('.buy-row .button:enabled').click();
      await page.locator('.captcha img').waitFor();
      const first = await page.getByTestId('captcha-answer').textContent();
      await page.locator('input[name=answer]').fill('0000000');
      await page.getByRole('dialog').locator('button[type=submit]').click();
      await page.locator('dialog .refused').waitFor();
      // Another picture, since the first was answered.
      await page.waitForFunction(
        (old) => document.querySelector('[data-testid=captcha-answer]')?.textContent !== old,
        first,
      );
      const answer = await page.getByTestId('captcha-answer').textContent();
      await page.locator('input[name=answer]').fill(answer.toLowerCase());
      await page.getByRole('dialog').locator('button[type=submit]').click();
      await page.waitForURL((address) => address.pathname.startsWith('/orders/'));
      await page.getByText('¥39.80').first().waitFor();
      await pay(page);
      await cardIn(page, 'fulfilled').waitFor();
      await page.getByRole('link', { name: '在“我的藏品”中查看' }).click();
      await page.locator('.item').nth(1).waitFor();
      const numbers = await page.locator('.item-number').allTextContents();
      assert.equal(new Set(numbers).size, 2);
      for (const number of numbers) assert.match(number, /编号 \d+ \/ 500/);
    },
  },
  {
    name: 'a place in line survives a reload',
    async run({ page, url }) {
      await signInByCode(page, '13900006003');
      const sale = await publish(url, {
        name: 'Line before the door',
        startsIn: 300_000,
        gate: { room: { per_second: 1 } },
      });
      await page.goto(`/sales/${sale}`);
      await page.locator('.sale-standing.soon .countdown').waitFor();
      await page.getByRole('button', { name: 'Get in line now' }).click();
      await page.locator('.room[data-state=waiting]').waitFor();
      await page.getByText('You are the first in line').waitFor();
      const kept = () => page.evaluate((id) => localStorage.getItem(`windfall.place.${id}`), sale);
      const place = await kept();
      assert.match(place, /^wfp_/);
      await page.reload();
      await page.locator('.room[data-state=waiting]').waitFor();
      assert.equal(await kept(), place);
      // And one can be reminded of what has yet to start.
      await page.getByRole('button', { name: 'Remind me' }).click();
      await page.getByText('The organiser will remind you').waitFor();
      await page.getByRole('button', { name: 'Do not remind me' }).click();
      await page.getByRole('button', { name: 'Remind me', exact: true }).waitFor();
    },
  },
  {
    name: 'an order that is not paid in time expires, and its unit is for sale again',
    async run({ page, url, advance }) {
      await signInByCode(page, '13900006004');
      const sale = await publish(url, { name: 'Quick hands', units: 1, hold_s: 600 });
      await buy(page, sale);
      await becomes(async () => (await look(url, sale)).sold_out, true);
      advance(600_000);
      await page.reload();
      await cardIn(page, 'expired').waitFor();
      await page.locator('.order-lines a').first().click();
      await page.getByTestId('stock').getByText('1 of 1 left').waitFor();
      await page.locator('.buy-row .button:enabled').waitFor();
    },
  },
  {
    name: 'paid too late: there is still some, so it is bought all the same',
    async run({ page, url, advance }) {
      await signInByCode(page, '13900006005');
      const sale = await publish(url, { name: 'Late but lucky', units: 5, hold_s: 600 });
      await buy(page, sale);
      await pay(page, 'late');
      // The sandbox pays a second after the order's time is over.
      advance(602_000);
      await page.reload();
      await cardIn(page, 'paid').waitFor();
      const id = new URL(page.url()).pathname.split('/').at(-1);
      const bought = await page.evaluate(
        async (order) => (await fetch(`/api/v1/orders/${order}`)).json(),
        id,
      );
      assert.ok(bought.payments[0].made_at_ms >= bought.due_ms, 'its money came after its time was over');
      await hasLeft(url, sale, 4);
    },
  },
  {
    name: 'paid twice: once is enough, and the other goes back; cancelled: it is free again',
    async run({ page, url }) {
      await signInByCode(page, '13900006006');
      const sale = await publish(url, { name: 'Twice', item: 'collectible', units: 3, per_user: 3 });
      await buy(page, sale);
      await pay(page, 'twice');
      await cardIn(page, 'fulfilled').waitFor();
      await page.locator('.order-facts', { hasText: 'refunded (paid twice)' }).waitFor();
      await buy(page, sale);
      // Declined at the provider: back here it is told, and the order waits.
      await pay(page, 'decline');
      await page.getByTestId('no-payment').waitFor();
      await page.getByRole('button', { name: 'Cancel the order' }).click();
      await page.getByRole('button', { name: 'Yes, cancel it' }).click();
      await cardIn(page, 'cancelled').waitFor();
      await hasLeft(url, sale, 2);
    },
  },
  {
    name: 'an attempt whose answer was lost is asked for again, and made once',
    allow: ['net::ERR'],
    async run({ page, url }) {
      await signInByCode(page, '13900006007');
      const sale = await publish(url, { name: 'Lost on the way', units: 5, per_user: 5 });
      let lost = 0;
      await page.route('**/attempts', async (route) => {
        if (lost > 0) return route.continue();
        lost += 1;
        await route.fetch();
        await route.abort();
      });
      await buy(page, sale);
      assert.equal(lost, 1);
      await hasLeft(url, sale, 4);
    },
  },
  {
    name: 'what is sold out says so, and cannot be pressed',
    async run({ page, url }) {
      await signInByCode(page, '13900006008');
      await page.goto('/');
      await page.locator('.sale-card.gone .stamp').first().waitFor();
      await page.goto(`/sales/${await saleNamed(url, 'Early birds')}`);
      await page.getByRole('button', { name: 'Sold out' }).waitFor();
      await becomes(() => page.getByRole('button', { name: 'Sold out' }).isEnabled(), false);
      await page.getByText('Some may become available').waitFor();
    },
  },
];
