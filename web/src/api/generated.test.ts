// A client that is nothing but the API document's types draws, reserves and buys on the real program, as a company's
// backend would.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import createClient from 'openapi-fetch';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { binary, startServer } from '../../journeys/server.mjs';
import type { paths } from './schema.gen';

let server: Awaited<ReturnType<typeof startServer>>;

function client(scopes: string[], user?: string) {
  const wanted = scopes.flatMap((scope) => ['--scope', scope]);
  const data = join(server.data, 'd');
  const made = execFileSync(binary, ['admin', 'create-key', '--name', 'test', ...wanted, '--data', data]);
  const secret = made.toString().trim().split(/\s/).at(-1) ?? '';
  const headers: Record<string, string> = { Authorization: `Bearer ${secret}` };
  if (user) headers['Windfall-User'] = user;
  return createClient<paths>({ baseUrl: `${server.url}/api/v1`, headers });
}

beforeAll(async () => {
  server = await startServer();
});

afterAll(() => server?.stop());

it('draws for one of its own users', async () => {
  const api = client(['play'], 'shop-1');
  const listed = await api.GET('/play/activities');
  const open = listed.data?.items.filter((one) => one.kind === 'instant' && one.state === 'running') ?? [];
  const body = { id: 'draw-1', draws: 1 };
  const draw = (id: string) => api.POST('/play/activities/{id}/draws', { params: { path: { id } }, body });
  for (const { id } of open) {
    const drawn = await draw(id);
    // One activity of the demo is for those who are known to be new: the next is for everybody.
    if (drawn.error?.code === 'not_eligible') continue;
    expect(drawn.response.status).toBe(201);
    expect(drawn.data?.draws.length).toBe(1);
    const again = await draw(id);
    expect(again.response.status).toBe(200);
    expect(again.data?.draws).toEqual(drawn.data?.draws);
    return;
  }
  expect.unreachable('no activity to draw in');
});

it('reserves and confirms', async () => {
  const api = client(['inventory']);
  await api.POST('/inventory/pools', { body: { id: 'open-1', name: 'seats', total: 3 } });
  const held = await api.POST('/inventory/holds', {
    body: { id: 'order-1', lines: [{ pool: 'seats', quantity: 2 }], ttl_ms: 600_000 },
  });
  expect(held.response.status).toBe(201);
  expect(held.data?.state).toBe('held');
  const more = await api.POST('/inventory/holds', {
    body: { id: 'order-2', lines: [{ pool: 'seats', quantity: 2 }], ttl_ms: 600_000 },
  });
  expect(more.error?.code).toBe('sold_out');
  const confirmed = await api.POST('/inventory/holds/{id}/confirm', {
    params: { path: { id: 'order-1' } },
    body: { lines: [{ pool: 'seats', quantity: 2 }] },
  });
  expect(confirmed.data?.state).toBe('confirmed');
});

it('buys for one of its own users', async () => {
  const api = client(['play'], 'shop-2');
  const sales = await api.GET('/sales');
  const open = sales.data?.items.find(
    (one) => one.state === 'running' && !one.sold_out && !one.gate.captcha && !one.gate.room,
  );
  const path = { id: open?.id ?? '' };
  const right = await api.POST('/sales/{id}/token', { params: { path } });
  const attempt = await api.POST('/sales/{id}/attempts', {
    params: { path, header: { 'Idempotency-Key': 'buy-1' } },
    body: { token: right.data?.token ?? '', quantity: 1 },
  });
  expect(attempt.response.status).toBe(202);
  const id = attempt.data?.id ?? '';
  const look = () => api.GET('/attempts/{id}', { params: { path: { id }, query: { wait_ms: 25_000 } } });
  let decided = await look();
  while (decided.data?.state === 'queued') decided = await look();
  expect(decided.data?.state).toBe('ordered');
});
