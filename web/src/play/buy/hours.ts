// Flash sales by the hour in which they start, as sessions (场次) to choose from.
import type { SaleBody } from '../../api/wire';
import { standingOf } from '../standing';

/** What runs is one session, what is over another; what has yet to start has one for each hour. */
export type SessionKey = 'now' | 'over' | number;

export interface SaleSession {
  key: SessionKey;
  sales: SaleBody[];
}

/** Sales that are over and still shown. */
const OVER_MAX = 2;
const HOUR_MS = 3_600_000;

export function sessionsOf(sales: readonly SaleBody[], now: number): SaleSession[] {
  const running: SaleBody[] = [];
  const over: SaleBody[] = [];
  const soon = new Map<number, SaleBody[]>();
  for (const sale of sales) {
    const standing = standingOf(sale, now);
    if (standing === 'over') over.push(sale);
    else if (standing !== 'soon') running.push(sale);
    else {
      const hour = Math.floor(sale.from_ms / HOUR_MS) * HOUR_MS;
      soon.set(hour, [...(soon.get(hour) ?? []), sale]);
    }
  }
  // What can be bought comes before what is sold out.
  running.sort((a, b) => Number(a.sold_out) - Number(b.sold_out));
  const hours = [...soon].sort(([a], [b]) => a - b);
  const all: SaleSession[] = [
    { key: 'now', sales: running },
    ...hours.map(([key, sales]) => ({ key, sales: sales.sort((a, b) => a.from_ms - b.from_ms) })),
    { key: 'over', sales: over.slice(0, OVER_MAX) },
  ];
  return all.filter((session) => session.sales.length > 0);
}
