// The figures of an activity: its report with all its hours, and how fast a count moves.
import { useEffect, useState } from 'react';
import { api, ask } from '../../api/client';
import type { HourBody, ReportBody } from '../../api/wire';
import { perSecond, remember, type Seen } from '../logic/curves';

const RATE_SPAN_MS = 15_000;
/** How often a count is looked at that nobody tells of: when nothing moves, the rate falls. */
const RATE_TICK_MS = 2000;
/** Pages of hours that are fetched for the charts at most. */
const HOUR_PAGES_MAX = 20;

/** The report with all its hours. */
export async function wholeReport(id: string, signal: AbortSignal): Promise<ReportBody> {
  const hours: HourBody[] = [];
  let from: number | undefined;
  for (let page = 0; ; page += 1) {
    const query = from === undefined ? {} : { from_ms: from };
    const report = await ask(
      (over) => api.GET('/activities/{id}/report', { params: { path: { id }, query }, signal: over }),
      signal,
    );
    hours.push(...report.hours);
    from = report.next_from_ms ?? undefined;
    if (from === undefined || page + 1 >= HOUR_PAGES_MAX) return { ...report, hours };
  }
}

/** How fast a count grows, per second, over the last quarter of a minute. */
export function useRate(count: number | undefined): number {
  const [seen, setSeen] = useState<Seen[]>([]);
  useEffect(() => {
    if (count === undefined) return;
    const look = () => setSeen((old) => remember(old, { at: Date.now(), count }, RATE_SPAN_MS));
    look();
    const timer = setInterval(look, RATE_TICK_MS);
    return () => clearInterval(timer);
  }, [count]);
  return perSecond(seen);
}
