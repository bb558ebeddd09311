// What the console's journeys have in common: staff at their desks, and what a demo has to have for them.
import { NAMES } from '../names.mjs';

export { until } from '../patience.mjs';

/** @type {import('playwright-core').BrowserContextOptions} */
export const DESK = { viewport: { width: 1280, height: 800 }, locale: 'en', reducedMotion: 'reduce' };
export const STAFF = {
  player: '13800000001',
  operator: '13800000002',
  reviewer: '13800000003',
  admin: '13800000004',
  second: '13800000005',
};
const PASSWORD = 'windfall-demo';

/**
 * Signs in at the console, at whatever page was asked for.
 *
 * @param {import('playwright-core').Page} page
 */
export async function enter(page, who, path = '/console') {
  await page.goto(path);
  await page.getByLabel(NAMES.phone).fill(STAFF[who]);
  await page.getByRole('textbox', { name: NAMES.password }).fill(PASSWORD);
  await page.getByRole('button', { name: NAMES.signIn }).click();
  await page.getByRole('button', { name: NAMES.signOut }).waitFor();
}

const sessions = new Map();

/** A client of the API with a session, as a program has it. Signing in is limited, so it is done once for each. */
export function client(url, who) {
  const key = `${url} ${who}`;
  if (!sessions.has(key)) sessions.set(key, signedIn(url, who));
  return sessions.get(key);
}

async function signedIn(url, who) {
  const root = `${url}/api/v1`;
  const answer = await fetch(`${root}/auth/sign-in/password`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ phone: STAFF[who], password: PASSWORD }),
  });
  const cookie = answer.headers.getSetCookie()[0].split(';')[0];
  const call = async (method, path, body, type = 'application/json') => {
    const response = await fetch(`${root}${path}`, {
      method,
      headers: { Cookie: cookie, ...(body === undefined ? {} : { 'Content-Type': type }) },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return text === '' ? undefined : JSON.parse(text);
  };
  return {
    get: (path) => call('GET', path),
    post: (path, body) => call('POST', path, body),
    put: (path, body) => call('PUT', path, body),
    patch: (path, body) => call('PATCH', path, body),
    /** A list, one per line. */
    list: (path, lines) => call('POST', path, lines.join('\n'), 'text/plain'),
  };
}

/**
 * Chooses an option of a drop-down list by its text.
 *
 * @param {import('playwright-core').Page} page
 */
export async function choose(page, label, option) {
  await page.getByRole('combobox', { name: label, exact: true }).first().click();
  await page.locator(`.ant-select-item-option[title="${option}"]:visible`).last().click();
}
