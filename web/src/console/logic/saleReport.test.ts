import { expect, it } from 'vitest';
import type { SaleHourBody } from '../../api/wire';
import { saleByHour, totalsOf } from './saleReport';

const hour = (from_ms: number, currency: string, orders: number, paid = 0): SaleHourBody => ({
  from_ms,
  currency,
  orders,
  units: 2 * orders,
  paid,
  cancelled: 0,
  expired: 1,
  refunded: 0,
  taken_minor: 100 * paid,
  refunded_minor: 0,
});

it('adds its hours up, each currency by itself', () => {
  expect(totalsOf([])).toEqual([]);
  const totals = totalsOf([hour(0, 'CNY', 3, 1), hour(0, 'EUR', 1), hour(9, 'CNY', 2, 2)]);
  expect(totals).toMatchObject([
    { currency: 'CNY', orders: 5, units: 10, paid: 3, expired: 2, taken_minor: 300 },
    { currency: 'EUR', orders: 1, units: 2, paid: 0, expired: 1, taken_minor: 0 },
  ]);
  expect(totals[0]).not.toHaveProperty('from_ms');
});

it('shows each hour once, in order, also one in which everybody was turned away', () => {
  const hours = [hour(9, 'CNY', 2, 2), hour(9, 'EUR', 1), hour(18, 'CNY', 1)];
  expect(
    saleByHour(hours, [
      { from_ms: 0, ordered: 0, refused: 7 },
      { from_ms: 9, ordered: 3, refused: 4 },
    ]),
  ).toEqual([
    { at: 0, orders: 0, paid: 0, refused: 7 },
    { at: 9, orders: 3, paid: 2, refused: 4 },
    { at: 18, orders: 1, paid: 0, refused: 0 },
  ]);
});
