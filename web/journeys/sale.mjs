// Sales as journeys need them: made through the API by two people, bought from by a third, by the API or on the page.
import { client } from './console/desk.mjs';
import { becomes, until } from './patience.mjs';
import { fillAddress, isCalled } from './steps.mjs';

/** Publishes a sale and waits until it is there; its window is given in milliseconds from the server's now. */
export async function publish(url, { name, startsIn = -1000, lasts = 3_600_000, ...sale }) {
  const [operator, reviewer] = await Promise.all(['operator', 'reviewer'].map((who) => client(url, who)));
  const { now_ms: now } = await operator.get('/time');
  const from = now + startsIn;
  const form = {
    name,
    from,
    until: from + lasts,
    kind: 'sale',
    sale: { price_minor: 1990, currency: 'CNY', units: 20, pictures: ['🍵'], ...sale },
  };
  const { id } = await operator.post('/activities', form);
  await operator.post(`/activities/${id}/submit`, {});
  await reviewer.post(`/activities/${id}/approve`, {});
  const there = startsIn > 0 ? ['approved', 'running'] : ['running'];
  await until(async () => {
    const sold = await look(url, id);
    return there.includes(sold?.state);
  }, `the sale ${name} is there`);
  return id;
}

/** Another version, at another price, in place once it is approved. */
export async function reprice(url, id, price_minor) {
  const [operator, reviewer] = await Promise.all(['operator', 'reviewer'].map((who) => client(url, who)));
  const { live } = await operator.get(`/activities/${id}`);
  const form = { ...live.form, sale: { ...live.form.sale, price_minor } };
  await operator.put(`/activities/${id}?edition=0`, form);
  await operator.post(`/activities/${id}/submit`, {});
  await reviewer.post(`/activities/${id}/approve`, {});
  await until(async () => (await look(url, id)).price_minor === price_minor, 'the new price is in place');
}

export async function look(url, id) {
  const answer = await fetch(`${url}/api/v1/sales/${id}`);
  return answer.ok ? answer.json() : undefined;
}

/** Waits until a sale has so many left; what everybody sees is looked up anew a few times a second. */
export const hasLeft = (url, id, left, what) => becomes(async () => (await look(url, id)).left, left, what);

/** The demo's sale with this in its name. */
export async function saleNamed(url, name) {
  const { items } = await (await fetch(`${url}/api/v1/sales`)).json();
  return items.find((item) => isCalled(item, name)).id;
}

/** Buys one as a program does; the order's id. */
export async function order(buyer, sale, quantity = 1) {
  const { token } = await buyer.post(`/sales/${sale}/token`, {});
  const { id } = await buyer.post(`/sales/${sale}/attempts`, { quantity, token });
  const answer = await until(async () => {
    const told = await buyer.get(`/attempts/${id}?wait_ms=20000`);
    return told.state !== 'queued' && told;
  }, 'the attempt is decided');
  if (answer.state !== 'ordered') throw new Error(`an attempt that is ${JSON.stringify(answer)}`);
  return answer.order;
}

/** Presses a button of the sandbox. */
export async function press(url, id, button) {
  const answer = await fetch(`${url}/sandbox/pay/${id}`, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: `press=${button}`,
  });
  if (answer.status !== 303) throw new Error(`the sandbox answered ${answer.status}: ${await answer.text()}`);
}

/**
 * The card of an order on its page, once it is in this state.
 *
 * @param {import('playwright-core').Page} page
 */
export const cardIn = (page, state) => page.locator(`.order-card[data-state=${state}]`);

/**
 * Presses the button of a sale, and waits for the order that comes of it.
 *
 * @param {import('playwright-core').Page} page
 */
export async function buy(page, sale) {
  await page.goto(`/sales/${sale}`);
  await page.locator('.buy-row .button:enabled').click();
  await page.waitForURL((url) => url.pathname.startsWith('/orders/'));
  await cardIn(page, 'unpaid').waitFor();
}

/**
 * Says where an order of parcels goes, where nothing is chosen yet.
 *
 * @param {import('playwright-core').Page} page
 */
export async function sayWhere(page) {
  const card = cardIn(page, 'unpaid');
  await card.locator('.order-ways').waitFor();
  if ((await card.getAttribute('data-sent')) !== 'true') return;
  const where = page.getByTestId('ship-to');
  await where.waitFor();
  if ((await where.locator('input:checked').count()) > 0) return;
  await where.locator('button').click();
  await fillAddress(page, '13812345678');
  await page.getByRole('dialog').locator('button[type=submit]').click();
  await where.locator('input:checked').waitFor();
}

/**
 * Goes to the sandbox and presses one of its buttons; it leads back to the order.
 *
 * @param {import('playwright-core').Page} page
 */
export async function pay(page, how = 'pay') {
  await sayWhere(page);
  await page.locator('.order-ways .gold').click();
  await page.locator(`button[value=${how}]`).click();
  await page.waitForURL((url) => url.pathname.startsWith('/orders/'));
}
