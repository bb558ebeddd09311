// Every page: nothing serious for axe-core, nothing wider than a narrow phone, in both colours.
import assert from 'node:assert/strict';
import { serious, still } from './axe.mjs';
import { activityNamed, signInByCode } from './steps.mjs';

/** Moves on to a page, and waits until it shows what it is about. */
async function visit(page, path, sign) {
  await page.goto(path);
  await page.locator(sign).first().waitFor();
  await still(page);
}

async function judge(page, where) {
  const [wide, screen] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
  assert.ok(wide > 0 && wide <= screen, `${where} is ${wide} wide, and the screen ${screen}`);
  const found = await serious(page);
  assert.deepEqual(found, [], `${where}:\n  ${found.join('\n  ')}`);
}

const everyPage = (look) => ({
  name: `every page is fit for a phone and a screen reader (${look.colorScheme}, ${look.locale})`,
  window: { ...look, viewport: { width: 360, height: 740 }, reducedMotion: 'reduce' },
  async run({ page, url }) {
    const [wheel, box, grid, raffle] = await Promise.all(
      ['Spring wheel', 'Blind box', 'Nine-grid', 'Year-end raffle'].map((name) => activityNamed(url, name)),
    );
    for (const [path, sign] of [
      ['/', '.activity'],
      ['/sign-in', 'input[name=phone]'],
      ['/register', 'input[name=phone]'],
      ['/reset', 'input[name=phone]'],
      ['/no/such/page', '.state'],
      [`/activities/${wheel}/odds`, '.odds'],
    ]) {
      await visit(page, path, sign);
      await judge(page, path);
    }
    await signInByCode(page, look.phone);
    await visit(page, `/activities/${wheel}`, '.hub:enabled');
    await page.locator('.stage-foot .gold').click();
    await page.locator('dialog .ten-card.open').nth(9).waitFor();
    await judge(page, 'ten at once');
    for (const [path, sign] of [
      [`/activities/${wheel}`, '.hub:enabled'],
      [`/activities/${box}`, '.box-game'],
      [`/activities/${grid}`, '.grid'],
      [`/activities/${raffle}`, '.entry-row'],
      [`/activities/${wheel}/draws`, '.row'],
      ['/me', '.who'],
      ['/me/wins', '.win, .state'],
      ['/me/points', '.balance'],
      ['/shop', '.offer'],
      ['/me/addresses', '.button.primary'],
      ['/me/security', '.card'],
    ]) {
      await visit(page, path, sign);
      await judge(page, path);
    }
    await visit(page, `/activities/${wheel}/draws`, '.row');
    await page.locator('.row').first().click();
    await page.locator('.seal').waitFor();
    await judge(page, 'a proof');
    await visit(page, '/me/addresses', '.button.primary');
    await page.locator('.button.primary').click();
    await page.locator('dialog input').first().waitFor();
    await judge(page, 'the dialog of an address');
  },
});

export default [
  everyPage({ colorScheme: 'light', locale: 'en', phone: '13900003001' }),
  everyPage({ colorScheme: 'dark', locale: 'zh-CN', phone: '13900003002' }),
];
