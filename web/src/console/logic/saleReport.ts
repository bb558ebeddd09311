// The report of a sale, put together: sums over its hours, and the hours of all currencies. Pure.
import type { AttemptHourBody, SaleHourBody, SaleMinuteBody, SaleTotalBody } from '../../api/wire';

const SUMS = [
  'orders',
  'units',
  'paid',
  'cancelled',
  'expired',
  'refunded',
  'taken_minor',
  'refunded_minor',
] as const;

/** One sum for each currency, in the order in which they came. */
export function totalsOf(hours: readonly SaleHourBody[]): SaleTotalBody[] {
  const totals = new Map<string, SaleTotalBody>();
  for (const { from_ms: _, ...hour } of hours) {
    const total = totals.get(hour.currency);
    if (!total) totals.set(hour.currency, { ...hour });
    else for (const name of SUMS) total[name] += hour[name];
  }
  return [...totals.values()];
}

export interface SaleHourRow {
  at: number;
  orders: number;
  paid: number;
  /** Attempts that came to nothing. */
  refused: number;
}

/** Each hour once, whatever the currency, with what came of its attempts. */
export function saleByHour(
  hours: readonly SaleHourBody[],
  attempts: readonly AttemptHourBody[],
): SaleHourRow[] {
  const rows = new Map<number, SaleHourRow>();
  const row = (at: number) => {
    const known = rows.get(at) ?? { at, orders: 0, paid: 0, refused: 0 };
    rows.set(at, known);
    return known;
  };
  for (const { from_ms, orders, paid } of hours) {
    row(from_ms).orders += orders;
    row(from_ms).paid += paid;
  }
  for (const { from_ms, refused } of attempts) row(from_ms).refused += refused;
  return [...rows.values()].sort((a, b) => a.at - b.at);
}

/** Each minute as a row of the same chart; refusals are counted by the hour only. */
export function saleByMinute(minutes: readonly SaleMinuteBody[]): SaleHourRow[] {
  return minutes.map(({ from_ms, orders, paid }) => ({ at: from_ms, orders, paid, refused: 0 }));
}
