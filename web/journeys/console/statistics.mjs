// Statistics: a visitor and a player come, and an operator sees them, by day, over a range and in a campaign's funnel.
import assert from 'node:assert/strict';
import { serious } from '../axe.mjs';
import { openWindow } from '../browser.mjs';
import { startServer } from '../server.mjs';
import { client, DESK, enter, until } from './desk.mjs';

const WHEEL = '春日大转盘';

/** What a table says in the row that begins with a text. */
async function rowOf(page, table, begins) {
  const row = page.getByTestId(table).locator('tr', { hasText: begins }).first();
  await row.waitFor();
  return (await row.locator('td').allTextContents()).map((text) => text.trim());
}

/** @type {import('../journey.js').Journey[]} */
export default [
  {
    name: 'console: statistics show who came, in both languages, and how far they got',
    // A server of its own: who else came is nobody's business here.
    async run({ browser }) {
      const server = await startServer();
      const windows = [];
      const open = async (options) => {
        const opened = await openWindow(browser, server.url, options);
        windows.push(opened);
        return opened.page;
      };
      try {
        const desk = await open(DESK);
        await enter(desk, 'operator', '/console/statistics?from=2020-01-01&to=2020-01-31');
        await desk.getByText('Nobody was counted in these days').waitFor();
        assert.deepEqual(await serious(desk), []);

        // A visitor opens the wheel; a player signs in and draws.
        const operator = await client(server.url, 'operator');
        const { items } = await operator.get(`/activities?q=${encodeURIComponent(WHEEL)}`);
        const wheel = items[0].id;
        await until(
          async () => (await operator.get(`/activities/${wheel}`)).state === 'running',
          'the wheel runs',
        );
        const visitor = await open(DESK);
        await visitor.goto(`/activities/${wheel}`);
        await visitor.getByRole('heading', { level: 1 }).first().waitFor();
        const player = await client(server.url, 'player');
        await player.get(`/play/activities/${wheel}`);
        await player.post(`/play/activities/${wheel}/draws`, { id: 'statistics', draws: 1 });
        const admin = await client(server.url, 'admin');
        await admin.post('/admin/jobs/statistics/run');
        const today = async () => (await operator.get('/admin/statistics/daily')).days.at(-1);
        await until(async () => (await today()).visitors > 0, 'the visitor is counted');

        await desk.getByRole('button', { name: 'Last 7 days' }).click();
        const { day } = await today();
        const [visitors, people, fresh, , draws] = await rowOf(desk, 'days', day);
        assert.deepEqual([visitors, people, fresh], ['1', '1', '1']);
        assert.notEqual(draws, '0');
        assert.equal(await desk.getByTestId('days').locator('tbody tr').count(), 7);
        await desk.getByRole('img', { name: /Visitors, active people and new people of each day/ }).waitFor();
        assert.deepEqual(await rowOf(desk, 'retention', day), ['1', '—', '—', '—']);
        assert.deepEqual(await serious(desk), []);

        // The table as a file.
        const [download] = await Promise.all([
          desk.waitForEvent('download'),
          desk.getByRole('link', { name: 'Download as a table (CSV)' }).click(),
        ]);
        assert.equal(download.suggestedFilename(), 'statistics.csv');

        await desk.goto(`/console/activities/${wheel}?tab=run`);
        assert.deepEqual(await rowOf(desk, 'funnel', 'Browsers that opened it'), ['1', '—']);
        const [signedIn] = await rowOf(desk, 'funnel', 'Signed-in people who opened it');
        assert.equal(signedIn, '1');
        assert.deepEqual(await serious(desk), []);

        // The same in Chinese, on a phone.
        const phone = await open({
          viewport: { width: 390, height: 800 },
          locale: 'zh-CN',
          reducedMotion: 'reduce',
        });
        await enter(phone, 'operator', '/console/statistics');
        await phone.getByRole('heading', { name: '统计', level: 1 }).waitFor();
        await phone.getByText('指标说明').waitFor();
        assert.deepEqual(await serious(phone), []);
        for (const { errors } of windows) assert.deepEqual(errors, []);
      } finally {
        for (const { context } of windows) await context.close();
        await server.stop();
      }
    },
  },
];
