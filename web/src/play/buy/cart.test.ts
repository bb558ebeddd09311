import { describe, expect, it } from 'vitest';
import type { SaleBody } from '../../api/wire';
import { type CartLine, drop, LINES_MAX, mostOf, obstacleOf, put, readCart, sumOf } from './cart';

const sale = (part: Partial<SaleBody> = {}): SaleBody => ({
  id: '1',
  name: 'Tea at noon',
  description: '',
  item: { kind: 'parcel', name: 'Tea', details: '', pictures: [] },
  price_minor: 1990,
  currency: 'CNY',
  units: 20,
  left: 5,
  sold_out: false,
  hold_s: 900,
  policy: 'at_order',
  gate: { captcha: false, room: false },
  state: 'running',
  from_ms: 100,
  until_ms: 200,
  round: 1,
  version: 1,
  imprint: {},
  server_ms: 150,
  ...part,
});
const line = (quantity = 1, of = '1'): CartLine => ({ sale: of, quantity });

it('a sale is in it once, with its last quantity', () => {
  const cart = put(put(put([], '1', 1), '2', 1), '1', 3);
  expect(cart).toEqual([line(3), line(1, '2')]);
  expect(drop(cart, '1')).toEqual([line(1, '2')]);
});

it('takes no more lines than an order has, and still lets those be changed', () => {
  const full = Array.from({ length: LINES_MAX }, (_, at) => line(1, String(at)));
  expect(put(full, '99', 1)).toEqual(full);
  expect(put(full, '0', 2)[0]).toEqual(line(2, '0'));
});

it.each([
  ['nothing kept', null, []],
  ['no JSON', '{', []],
  ['no list', '{"sale":"1","quantity":1}', []],
  ['a line', '[{"sale":"1","quantity":2}]', [line(2)]],
  ['what is no line', '[null,7,{"sale":1,"quantity":1},{"sale":"../me","quantity":1},{"sale":"2"}]', []],
  ['too many, too few', '[{"sale":"1","quantity":99},{"sale":"2","quantity":0}]', [line(10), line(1, '2')]],
  ['one sale twice', '[{"sale":"1","quantity":1},{"sale":"1","quantity":2}]', [line(2)]],
])('is read as it was kept: %s', (_, kept, expected) => {
  expect(readCart(kept)).toEqual(expected);
});

describe('what stands in the way', () => {
  it.each<[string, Partial<SaleBody>, number, number, string | undefined]>([
    ['nothing', {}, 1, 150, undefined],
    ['exactly what is left', {}, 5, 150, undefined],
    ['more than is left', {}, 6, 150, 'few'],
    ['nothing left', { left: 0, sold_out: true }, 1, 150, 'gone'],
    ['before the start', {}, 1, 99, 'soon'],
    ['paused', { state: 'paused' }, 1, 150, 'paused'],
    ['after the end', {}, 1, 200, 'over'],
    ['closed', { state: 'closed' }, 1, 150, 'over'],
    ['deducted at payment', { policy: 'at_payment' }, 1, 150, 'alone'],
    ['people in line', { gate: { captcha: false, room: true } }, 1, 150, 'alone'],
    ['a picture is no obstacle', { gate: { captcha: true, room: false } }, 1, 150, undefined],
  ])('%s', (_, part, quantity, now, expected) => {
    expect(obstacleOf(line(quantity), sale(part), now)).toBe(expected);
  });
});

it('a person’s limit is the most there is to choose', () => {
  for (const [per_user, most] of [
    [1, 1],
    [3, 3],
    [50, 10],
    [null, 10],
    [undefined, 10],
  ] as const) {
    expect(mostOf({ per_user: per_user ?? null })).toBe(most);
  }
});

it('adds up in one currency, and in no other way', () => {
  const tea = { line: line(2), sale: sale() };
  const cup = { line: line(1, '2'), sale: sale({ id: '2', price_minor: 500 }) };
  expect(sumOf([tea, cup])).toEqual({ minor: 4480, currency: 'CNY' });
  expect(sumOf([tea, { ...cup, sale: { ...cup.sale, currency: 'EUR' } }])).toBeUndefined();
  expect(sumOf([])).toBeUndefined();
});
