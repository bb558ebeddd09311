// What journeys have in common.

/** Signs in on the page, as anybody would: by password. */
export async function signInByPassword(page, phone = '13800000001', password = 'windfall-demo') {
  await page.goto('/sign-in');
  await page.locator('.views label').nth(1).click();
  await page.locator('input[name=phone]').fill(phone);
  await page.locator('input[name=password]').fill(password);
  await page.locator('form button[type=submit]').click();
  await page.waitForURL((url) => url.pathname !== '/sign-in');
}

/** Signs in with a code that the page shows, since this is a demo. The phone is new: so is the account. */
export async function signInByCode(page, phone) {
  await page.goto('/sign-in');
  await page.locator('input[name=phone]').fill(phone);
  await page.locator('.field-row .button').click();
  const code = await page.getByTestId('demo-code').textContent();
  await page.locator('input[name=code]').fill(code);
  await page.locator('form button[type=submit]').click();
  await page.waitForURL((url) => url.pathname !== '/sign-in');
}

/** The id of the demo's activity with this in its name. */
export async function activityNamed(url, name) {
  const { items } = await (await fetch(`${url}/api/v1/play/activities`)).json();
  return items.find((item) => item.name.includes(name)).id;
}
