// The second factor of staff, from the reminder to the day on which it is lost.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { serious } from '../axe.mjs';
import { openWindow } from '../browser.mjs';
import { NAMES } from '../names.mjs';
import { startServer } from '../server.mjs';
import { otherThan, totp } from '../totp.mjs';
import { DESK, enter as enterDemo } from './desk.mjs';

const PASSWORD = 'a-quiet-morning';
const STEP_MS = 30_000;

/** A new admin, made at the machine's command line. */
function admin(server, name, phone) {
  const made = [
    'admin',
    'create-user',
    '--phone',
    phone,
    '--name',
    name,
    '--role',
    'admin',
    '--password-stdin',
  ];
  return { id: server.run(made, PASSWORD), name, phone };
}

/** @param {import('playwright-core').Page} page */
async function firstFactor(page, { phone }) {
  await page.locator('#phone').fill(phone);
  await page.locator('#password').fill(PASSWORD);
  await page.locator('button[type=submit]').click();
}

/** @param {import('playwright-core').Page} page */
async function enter(page, who, path = '/console') {
  await page.goto(path);
  await firstFactor(page, who);
  await page.locator('.top .who').waitFor();
}

/** @param {import('playwright-core').Page} page */
async function leave(page) {
  await page.locator('.top .who button').last().click();
  await page.locator('#phone').waitFor();
}

/**
 * What is typed into a dialog or a form, and sent.
 *
 * @param {import('playwright-core').Page} page
 */
async function secondFactor(page, code) {
  await page.locator('#second_code').fill(code);
  await page.locator('button[type=submit]').click();
}

const look = (look) => ({
  name: `console: a second factor is set up (${look.locale}, ${look.colorScheme}, ${look.viewport.width} wide)`,
  window: { ...look, reducedMotion: 'reduce' },
  allow: ['401'],
  async run({ page, server }) {
    const zoe = admin(server, 'Zoe', look.phone);
    let now = server.stand();
    try {
      await enter(page, zoe, '/console/account');
      await page.locator('.page .ant-btn-primary').click();
      const key = await page.getByTestId('totp-secret').textContent();
      // A camera needs dark on light and four modules of quiet around it, whatever the page looks like.
      const picture = await page.locator('.page svg[role=img]').evaluate((svg) => {
        const [ground, code] = svg.children;
        const fill = (shape) => getComputedStyle(shape).fill;
        const [x, y, width, height] = svg.getAttribute('viewBox').split(' ').map(Number);
        const box = ground.getBBox();
        return {
          fills: [fill(ground), fill(code)],
          covers: box.x === x && box.y === y && box.width === width && box.height === height,
          quiet: [code.getBBox().x - x, code.getBBox().y - y],
        };
      });
      assert.deepEqual(picture, {
        fills: ['rgb(255, 255, 255)', 'rgb(0, 0, 0)'],
        covers: true,
        quiet: [4, 4],
      });
      assert.deepEqual(await serious(page), []);
      now += STEP_MS;
      server.advance(STEP_MS);
      await page.locator('#code').fill(totp(key, now));
      await page.locator('button[type=submit]').click();
      await page.getByTestId('secret').waitFor();
      assert.deepEqual(await serious(page), []);
      const tooWide = () => document.documentElement.scrollWidth > document.documentElement.clientWidth;
      assert.equal(await page.evaluate(tooWide), false, 'it fits the screen');

      // The players' page asks for it too, and takes a recovery code.
      const [recovery] = (await page.getByTestId('secret').textContent()).split('\n');
      await leave(page);
      await page.goto('/sign-in');
      await page.locator('.views label').nth(1).click();
      await page.getByLabel(NAMES.phone).fill(zoe.phone);
      await page.getByLabel(NAMES.password).fill(PASSWORD);
      await page.locator('form button[type=submit]').click();
      const second = page.locator('input[name=second_code]');
      await second.waitFor();
      assert.equal(await page.getByRole('alert').count(), 0, 'nothing went wrong');
      assert.equal(await second.getAttribute('inputmode'), 'numeric');
      assert.equal(await second.getAttribute('autocomplete'), 'one-time-code');
      assert.deepEqual(await serious(page), []);
      await page.locator('form .field + .button').click();
      await second.fill(recovery);
      await page.locator('form button[type=submit]').click();
      await page.waitForURL((url) => url.pathname !== '/sign-in');
    } finally {
      server.goOn();
    }
  },
});

/** @type {import('../journey.js').Journey[]} */
export default [
  look({ locale: 'en', colorScheme: 'dark', viewport: { width: 1280, height: 800 }, phone: '13900007901' }),
  look({ locale: 'zh-CN', colorScheme: 'dark', viewport: { width: 390, height: 844 }, phone: '13900007902' }),
  {
    name: 'console: where a second factor is required, staff are led to it, and everything opens once they have one',
    window: DESK,
    async run({ browser }) {
      const server = await startServer({ env: { WINDFALL__STAFF__SECOND_FACTOR: 'required' } });
      const now = server.stand();
      // What is refused meanwhile is on the browser's console.
      const { page, context, errors } = await openWindow(browser, server.url, DESK);
      try {
        await enterDemo(page, 'operator', '/console/jobs');
        const told = page.getByText('Until you have set one up, nothing here opens.');
        await told.waitFor();
        await page.getByRole('alert').getByText('Set up a second factor first').first().waitFor();
        await page.locator('.page').getByRole('link', { name: 'Set up' }).click();
        await page.getByRole('button', { name: 'Set up' }).click();
        const key = await page.getByTestId('totp-secret').textContent();
        await page.getByLabel('Six digits of the app').fill(totp(key, now));
        await page.getByRole('button', { name: 'Confirm' }).click();
        await page.getByRole('button', { name: 'I have kept them' }).click();
        await told.waitFor({ state: 'detached' });
        await page.getByRole('link', { name: 'Jobs' }).click();
        await page.locator('.ant-table-row').first().waitFor();
        assert.deepEqual(
          errors.filter((error) => !error.includes('403')),
          [],
        );
      } finally {
        await context.close();
        await server.stop();
      }
    },
  },
  {
    name: 'console: a second factor is asked for, each of its codes is good once, and two admins help whoever lost it',
    window: { ...DESK, acceptDownloads: true },
    allow: ['401'],
    async run({ page, browser, url, server }) {
      const [ada, ben, cem] = [
        admin(server, 'Ada', '13900007903'),
        admin(server, 'Ben', '13900007904'),
        admin(server, 'Cem', '13900007905'),
      ];
      const alert = page.getByRole('alert');
      const refused = alert.getByText(
        'This code of your second factor is wrong, has expired, or was already used.',
      );
      // Digits are good for a while: the clock stands, so that a slow machine does not outlast them.
      let now = server.stand();
      try {
        // She is reminded until she has one.
        await enter(page, ada);
        const reminder = page.getByText('Your account has no second factor. Admins should have one.');
        await reminder.waitFor();
        await page.getByRole('link', { name: 'Set up' }).click();
        await page.getByRole('button', { name: 'Set up' }).click();
        const key = await page.getByTestId('totp-secret').textContent();
        const digits = page.getByLabel('Six digits of the app');
        assert.equal(await digits.getAttribute('autocomplete'), 'one-time-code');
        assert.equal(await digits.getAttribute('inputmode'), 'numeric');
        await digits.fill(otherThan(totp(key, now)));
        await page.getByRole('button', { name: 'Confirm' }).click();
        await refused.waitFor();
        await digits.fill(totp(key, now));
        await page.getByRole('button', { name: 'Confirm' }).click();

        // The recovery codes are there until she says that she has them, whatever else is read meanwhile.
        const recovery = (await page.getByTestId('secret').textContent()).split('\n');
        assert.equal(recovery.length, 10);
        await reminder.waitFor({ state: 'detached' });
        const read = page.waitForResponse((answer) => answer.url().endsWith('/me/second-factor'));
        server.advance(STEP_MS);
        now += STEP_MS;
        await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
        await Promise.race([read, page.waitForTimeout(500)]);
        const saving = page.waitForEvent('download');
        await page.getByRole('button', { name: 'Save as a file' }).click();
        const file = await (await saving).path();
        assert.equal(readFileSync(file, 'utf8'), `${recovery.join('\n')}\n`);
        await page.getByRole('button', { name: 'Copy' }).waitFor();
        await page.getByRole('button', { name: 'I have kept them' }).click();
        await page.getByText('On. Recovery codes left: 10.').waitFor();
        assert.equal(await page.getByTestId('secret').count(), 0);

        // Wrong, right, and once more.
        await leave(page);
        await firstFactor(page, ada);
        const second = page.locator('#second_code');
        await second.waitFor();
        const wrong = page.locator('.ant-alert-error');
        assert.equal(await wrong.count(), 0, 'the first factor was right: nothing went wrong');
        assert.equal(await second.getAttribute('autocomplete'), 'one-time-code');
        assert.equal(await second.getAttribute('inputmode'), 'numeric');
        const code = totp(key, now);
        await secondFactor(page, otherThan(code));
        await refused.waitFor();
        await secondFactor(page, code);
        await page.locator('.top .who').waitFor();
        await leave(page);
        await firstFactor(page, ada);
        await secondFactor(page, code);
        await refused.waitFor();

        // The app is lost: a recovery code, once.
        await page.getByRole('button', { name: 'Use a recovery code' }).click();
        await secondFactor(page, recovery[0].toLowerCase());
        await page.locator('.top .who').waitFor();
        await leave(page);
        await firstFactor(page, ada);
        await page.getByRole('button', { name: 'Use a recovery code' }).click();
        await secondFactor(page, recovery[0]);
        await refused.waitFor();

        // Another admin sees who has one and who has none, and asks; a third decides.
        const [asks, decides] = [await openWindow(browser, url, DESK), await openWindow(browser, url, DESK)];
        await enter(asks.page, ben, '/console/users?role=admin');
        const row = (name) =>
          asks.page
            .locator('.ant-table-row')
            .filter({ has: asks.page.getByRole('link', { name, exact: true }) });
        await row('Ada').getByText('On', { exact: true }).waitFor();
        await row('Ben').getByText('None', { exact: true }).waitFor();
        await asks.page.getByRole('link', { name: 'Ada' }).click();
        await asks.page.getByRole('button', { name: 'Reset second factor' }).click();
        const dialog = asks.page.getByRole('dialog');
        await dialog.getByLabel('Reason').fill('phone in the lake, called back');
        await dialog.getByRole('button', { name: 'Reset second factor' }).click();
        await dialog.waitFor({ state: 'detached' });
        await enter(decides.page, cem, '/console/approvals?state=waiting');
        const waiting = decides.page.locator('.ant-table-row', { hasText: 'Reset the second factor of Ada' });
        await waiting.getByRole('button', { name: 'Approve' }).click();
        await decides.page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
        await decides.page.getByRole('dialog').waitFor({ state: 'detached' });
        await waiting.waitFor({ state: 'detached' });
        assert.deepEqual([...asks.errors, ...decides.errors], []);
        await Promise.all([asks.context.close(), decides.context.close()]);

        await enter(page, ada);
        await reminder.waitFor();
        assert.match(server.run(['admin', 'list-users', '--role', 'admin', '--name', 'Ada']), /Ada/);
      } finally {
        server.goOn();
      }
    },
  },
];
