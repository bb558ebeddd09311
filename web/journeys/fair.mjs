// After the end: the secret is out, and the browser draws everything again. The last journey, since it ends an activity.
import { becomes, until } from './patience.mjs';
import { activityNamed, asAdmin, signInByCode } from './steps.mjs';

/** Ends an activity as an admin does, and waits until its secret is revealed. */
async function end(url, id) {
  await asAdmin(url, `/activities/${id}/close`, { reason: 'the journey is over' });
  await until(async () => {
    const { items } = await (await fetch(`${url}/api/v1/activities/${id}/secrets`)).json();
    return items.every((item) => item.secret);
  }, 'its secret is revealed');
}

/** @type {import('./journey.js').Journey[]} */
export default [
  {
    name: 'when all is over, one’s own draws and everybody’s check out in the browser',
    window: { reducedMotion: 'reduce' },
    async run({ page, url }) {
      const box = await activityNamed(url, 'Blind box');
      await signInByCode(page, '13900004001');
      await page.goto(`/activities/${box}`);
      await page.locator('.stage-foot .gold:enabled').click();
      await page.getByRole('dialog').waitFor();
      await end(url, box);
      await page.goto(`/activities/${box}/draws`);
      await page.getByRole('button', { name: 'Check all draws' }).click();
      await page.getByText(/draws checked, all reproduce/).waitFor();
      await page.locator('.row').first().click();
      await page.locator('[data-verdict=good]').waitFor();
      await becomes(() => page.locator('.step.good').count(), 15, 'five steps, and ten draws computed again');
      await page.goto(`/activities/${box}`);
      await page.locator('.standing.over').waitFor();
      await becomes(() => page.locator('.lever').isEnabled(), false);
    },
  },
];
