// Whom one deals with: terms and privacy at sign-in, the organiser and the rules of an activity, a contact, a word to minors.
import assert from 'node:assert/strict';
import { serious } from './axe.mjs';
import { NAMES } from './names.mjs';
import { startServer } from './server.mjs';
import { activityNamed, signInByPassword } from './steps.mjs';

const TEXTS = {
  WINDFALL__SITE__TERMS: '请遵守规则。',
  WINDFALL__SITE__TERMS_EN: 'Play by the rules.',
  WINDFALL__SITE__PRIVACY: '我们只保存必要的信息。',
  WINDFALL__SITE__PRIVACY_EN: 'We keep what is needed, and nothing else.',
  WINDFALL__SITE__ORGANISER_EN: 'Windfall Goods',
  WINDFALL__SITE__CONTACT: 'hello@windfall.example',
  WINDFALL__SITE__MINORS: '未成年人请在监护人陪同下参与。',
  WINDFALL__SITE__MINORS_EN: 'If you are under 18, take part with a guardian only.',
};

/** @type {import('./journey.js').Journey[]} */
export default [
  {
    name: 'nobody signs in without agreeing to the terms, and whoever agreed is not asked again',
    async run({ browser }) {
      const server = await startServer({ env: TEXTS });
      const context = await browser.newContext({ baseURL: server.url, locale: 'en' });
      const page = await context.newPage();
      try {
        await page.goto('/sign-in');
        await page.getByText('If you are under 18, take part with a guardian only.').waitFor();
        await page.getByLabel(NAMES.phone).fill('13900019301');
        await page.getByRole('button', { name: NAMES.sendCode }).click();
        const code = await page.getByTestId('demo-code').textContent();
        await page.getByLabel(NAMES.code).fill(code ?? '');
        await page.getByRole('button', { name: NAMES.signIn }).click();
        await page.getByText('Please agree before you continue.').waitFor();
        assert.deepEqual(await serious(page), []);
        // The server asks too, and the code stays good.
        const refused = await page.evaluate(
          async (given) => {
            const answer = await fetch('/api/v1/auth/sign-in/code', {
              method: 'POST',
              headers: { 'content-type': 'application/json' },
              body: JSON.stringify(given),
            });
            return (await answer.json()).code;
          },
          { phone: '13900019301', code },
        );
        assert.equal(refused, 'consent_needed');
        await page.getByRole('checkbox').check();
        await page.getByRole('button', { name: NAMES.signIn }).click();
        await page.waitForURL((url) => url.pathname === '/');
        await page.getByRole('link', { name: 'Privacy' }).click();
        await page.getByText('We keep what is needed, and nothing else.').waitFor();
        await page.goto('/terms');
        await page.getByText('Play by the rules.').waitFor();
        await page.getByRole('link', { name: 'hello@windfall.example' }).waitFor();
        assert.deepEqual(await serious(page), []);
        // Staff sign in to work: they are not asked.
        const answer = await fetch(`${server.url}/api/v1/auth/sign-in/password`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ phone: '13800000002', password: 'windfall-demo' }),
        });
        assert.equal(answer.status, 200);
      } finally {
        await context.close();
        await server.stop();
      }
    },
  },
  {
    name: 'an activity says who runs it, by which rules, and whom to ask',
    async run({ page, url }) {
      await page.goto(`/activities/${await activityNamed(url, 'Spring wheel')}`);
      const about = page.getByTestId('imprint');
      await about.getByText('Windfall Goods').waitFor();
      await about.getByText(/Prizes cannot be exchanged for money/).waitFor();
      await about.getByRole('link', { name: 'hello@windfall.example' }).waitFor();
      // Without terms nobody is asked to agree.
      await signInByPassword(page);
      assert.deepEqual(await serious(page), []);
    },
  },
];
