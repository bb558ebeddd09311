// Figures over time: how stock was given against how it was meant to be, and how fast things go. Pure.
import type { HourBody } from '../../api/wire';

const HOUR_MS = 3_600_000;

export type Point = [number, number];

export interface Plan {
  fromMs: number;
  untilMs: number;
  total: number;
  release?: readonly { at: number; units: number }[];
}

/** Units left after each hour in which something was given, from the window's start on. */
export function depletion(
  hours: readonly HourBody[],
  prize: number,
  total: number,
  fromMs: number,
  nowMs: number,
): Point[] {
  const points: Point[] = [[fromMs, total]];
  let left = total;
  for (const hour of hours) {
    if (hour.prize !== prize) continue;
    left -= hour.draws;
    points.push([Math.min(hour.from_ms + HOUR_MS, Math.max(nowMs, hour.from_ms)), left]);
  }
  const last = points.at(-1);
  if (last && nowMs > last[0]) points.push([nowMs, last[1]]);
  return points;
}

/** What would be left if it were given evenly over the window, or evenly between the moments of its release. */
export function planned({ fromMs, untilMs, total, release = [] }: Plan): Point[] {
  if (release.length === 0) {
    return [
      [fromMs, total],
      [untilMs, 0],
    ];
  }
  const steps = [...release].sort((a, b) => a.at - b.at);
  const points: Point[] = [[fromMs, total]];
  steps.forEach((step, index) => {
    const end = steps[index + 1]?.at ?? untilMs;
    points.push([end, Math.max(0, total - step.units)]);
  });
  return points;
}

/** Draws, wins and cost by hour, for bars. */
export function byHour(
  hours: readonly HourBody[],
): { at: number; draws: number; wins: number; cost: number }[] {
  const sums = new Map<number, { at: number; draws: number; wins: number; cost: number }>();
  for (const hour of hours) {
    const sum = sums.get(hour.from_ms) ?? { at: hour.from_ms, draws: 0, wins: 0, cost: 0 };
    sum.draws += hour.draws;
    if (hour.prize !== undefined && hour.prize !== null) sum.wins += hour.draws;
    sum.cost += hour.cost_minor;
    sums.set(hour.from_ms, sum);
  }
  return [...sums.values()].sort((a, b) => a.at - b.at);
}

/** Draws, wins and cost of the hours from a moment on. */
export function sumSince(
  hours: readonly HourBody[],
  fromMs: number,
): { draws: number; wins: number; cost: number } {
  const rows = byHour(hours.filter((hour) => hour.from_ms >= fromMs));
  return rows.reduce(
    (sum, row) => ({ draws: sum.draws + row.draws, wins: sum.wins + row.wins, cost: sum.cost + row.cost }),
    { draws: 0, wins: 0, cost: 0 },
  );
}

/** How long something is young enough to be looked at by the minute: as long as the server tells minutes. */
const YOUNG_MS = 6 * HOUR_MS;

/** By the minute in the first hours, by the hour from then on. */
export function firstScale(minutes: readonly { from_ms: number }[], nowMs: number): 'hour' | 'minute' {
  const first = minutes[0];
  return first && nowMs - first.from_ms < YOUNG_MS ? 'minute' : 'hour';
}

export interface Seen {
  at: number;
  count: number;
}

/** The last `spanMs` of what was seen, with what was seen now. */
export function remember(seen: readonly Seen[], now: Seen, spanMs: number): Seen[] {
  return [...seen.filter(({ at }) => at >= now.at - spanMs && at < now.at), now];
}

/** How many a second, over what is remembered. */
export function perSecond(seen: readonly Seen[]): number {
  const first = seen[0];
  const last = seen.at(-1);
  if (!first || !last || last.at <= first.at) return 0;
  return Math.max(0, ((last.count - first.count) * 1000) / (last.at - first.at));
}
