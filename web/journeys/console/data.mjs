// Something of everything, so that no page of the console is looked at empty.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { order, press } from '../sale.mjs';
import { client, until } from './desk.mjs';

/** A receiver of webhooks. It takes nothing until it is told to, and remembers whom it heard from. */
export async function receiver() {
  const heard = [];
  let takes = false;
  const server = createServer((request, response) => {
    heard.push(request.headers['windfall-delivery']);
    request.resume();
    response.writeHead(takes ? 200 : 500, { 'Content-Type': 'text/plain' });
    response.end(takes ? 'thank you' : 'not today');
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return {
    url: `http://127.0.0.1:${port}/hook`,
    heard,
    recover: () => {
      takes = true;
    },
    stop: () => server.close(),
  };
}

export async function fill(url) {
  const [player, operator, admin] = await Promise.all(
    ['player', 'operator', 'admin'].map((who) => client(url, who)),
  );
  const named = async (name) => {
    const { items } = await operator.get(`/activities?q=${encodeURIComponent(name)}`);
    return items[0].id;
  };
  const wheel = await named('春日大转盘');
  await until(async () => (await operator.get(`/activities/${wheel}`)).state === 'running', 'the wheel runs');
  for (let n = 0; n < 3; n += 1) {
    await player.post(`/play/activities/${wheel}/draws`, { id: `fill-${n}`, draws: 10 }).catch(() => {});
  }
  await player
    .post(`/play/activities/${await named('年终大奖')}/entries`, { id: 'fill-r', entries: 2 })
    .catch(() => {});
  const sale = await named('午间秒杀');
  // One each: somebody may have bought before.
  await order(player, sale)
    .then((id) => press(url, id, 'pay'))
    .catch(() => {});
  const me = await player.get('/me');
  const pool = await operator.post('/code-pools', { name: 'tea', low_below: 10 });
  await operator.post('/inventory/pools', {
    id: 'fill-open',
    name: 'store-7/tea/green',
    total: 100,
    owner_max: 3,
  });
  await operator.post('/inventory/holds', {
    id: 'fill-hold',
    lines: [{ pool: 'store-7/tea/green', quantity: 2 }],
    owner: 'shop-42',
    ttl_ms: 900_000,
  });
  await operator.post(`/admin/users/${me.id}/points`, { points: 500, reason: 'a lost parcel' });
  await operator.post(`/admin/users/${me.id}/points`, { points: 50_000, reason: 'a large campaign' });
  await admin.patch(`/admin/users/${me.id}/facts`, {
    age: 30,
    city: '上海',
    vip: true,
    tags: ['new', 'app'],
  });
  await admin.post('/admin/keys', { name: 'shop', scopes: ['play', 'facts'] });
  const hook = await admin.post('/webhooks', {
    name: 'shop',
    url: 'https://shop.example.com/windfall',
    kinds: ['win.made', 'win.given'],
  });
  return { wheel, sale, raffle: await named('年终大奖'), player: me.id, pool: pool.id, hook: hook.id };
}
