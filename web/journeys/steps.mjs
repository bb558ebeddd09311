// What journeys have in common.

import { NAMES } from './names.mjs';
/**
 * Signs in on the page, as anybody would: by password.
 *
 * @param {import('playwright-core').Page} page
 */
export async function signInByPassword(page, phone = '13800000001', password = 'windfall-demo') {
  await page.goto('/sign-in');
  await page.getByRole('radio', { name: NAMES.byPassword }).check();
  await page.getByLabel(NAMES.phone).fill(phone);
  await page.getByLabel(NAMES.password).fill(password);
  await page.getByRole('button', { name: NAMES.signIn }).click();
  await page.waitForURL((url) => url.pathname !== '/sign-in');
}

/**
 * Signs in with a code that the page shows, since this is a demo. The phone is new: so is the account.
 *
 * @param {import('playwright-core').Page} page
 */
export async function signInByCode(page, phone) {
  await page.goto('/sign-in');
  await page.getByLabel(NAMES.phone).fill(phone);
  await page.getByRole('button', { name: NAMES.sendCode }).click();
  const code = await page.getByTestId('demo-code').textContent();
  await page.getByLabel(NAMES.code).fill(code);
  await page.getByRole('button', { name: NAMES.signIn }).click();
  await page.waitForURL((url) => url.pathname !== '/sign-in');
}

/** Whether something has this in one of its names, in whatever language. */
export const isCalled = (thing, name) =>
  [thing.name, thing.name_en ?? ''].some((one) => one.toLowerCase().includes(name.toLowerCase()));

/**
 * Fills in the fields of an address, its region chosen from the lists.
 *
 * @param {import('playwright-core').Page} page
 */
export async function fillAddress(page, phone, street = 'Century Avenue 1') {
  const dialog = page.getByRole('dialog');
  await dialog.locator('[name$=recipient]').fill('Wind');
  await dialog.locator('[name$=phone]').fill(phone);
  for (const [place, part] of [
    ['浙江省', 0],
    ['杭州市', 1],
    ['西湖区', 2],
  ]) {
    await dialog.locator('fieldset select').nth(Number(part)).selectOption(String(place));
  }
  await dialog.locator('[name$=street]').fill(street);
}

/** The id of the demo's activity with this in its name. */
export async function activityNamed(url, name) {
  const { items } = await (await fetch(`${url}/api/v1/play/activities`)).json();
  return items.find((item) => isCalled(item, name)).id;
}

/** Asks the API as the demo's admin, and insists on a good answer. */
export async function asAdmin(url, path, body) {
  const headers = { 'content-type': 'application/json' };
  const who = JSON.stringify({ phone: '13800000004', password: 'windfall-demo' });
  const signedIn = await fetch(`${url}/api/v1/auth/sign-in/password`, { method: 'POST', headers, body: who });
  const cookie = signedIn.headers.getSetCookie()[0].split(';')[0];
  const answer = await fetch(`${url}/api/v1${path}`, {
    method: 'POST',
    headers: { ...headers, cookie },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
}
