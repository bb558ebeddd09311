// Days and shares of statistics. Pure.
import type { CohortBody, FunnelCountBody, StatisticsDayBody } from '../../api/wire';

const DAY_MS = 86_400_000;

/** A day so many days later, as `2026-11-18`; the text itself where it is none. */
export function shiftDay(day: string, days: number): string {
  const ms = Date.parse(`${day}T00:00:00Z`);
  return Number.isNaN(ms) ? day : new Date(ms + days * DAY_MS).toISOString().slice(0, 10);
}

const SUMS = ['new_people', 'posts', 'draws', 'orders', 'paid'] as const;
export type DaySums = Record<(typeof SUMS)[number], number>;

/** What can be added up over days. Visitors and people cannot: whoever comes twice is one. */
export function sumsOf(days: readonly StatisticsDayBody[]): DaySums {
  const sums: DaySums = { new_people: 0, posts: 0, draws: 0, orders: 0, paid: 0 };
  for (const day of days) for (const name of SUMS) sums[name] += day[name];
  return sums;
}

/** Whether anybody was counted, or anything happened. */
export function isEmpty(days: readonly StatisticsDayBody[]): boolean {
  return (
    days.every((day) => day.visitors + day.people === 0) && Object.values(sumsOf(days)).every((n) => n === 0)
  );
}

/** A part of a whole, such as 0.25; nothing of nothing. */
export function shareOf(part: number, whole: number): number | undefined {
  return whole > 0 ? part / whole : undefined;
}

export interface Returned {
  after: number;
  /** Of the cohorts whose later day is over. */
  people: number;
  of: number;
}

/** All cohorts together, for each number of days: those whose later day is not over say nothing yet. */
export function togetherOf(cohorts: readonly CohortBody[]): Returned[] {
  const sums = new Map<number, Returned>();
  for (const { new_people, again } of cohorts) {
    for (const { after_days, people } of again) {
      const sum = sums.get(after_days) ?? { after: after_days, people: 0, of: 0 };
      sums.set(after_days, sum);
      if (people == null) continue;
      sum.people += people;
      sum.of += new_people;
    }
  }
  return [...sums.values()];
}

export interface FunnelRow extends FunnelCountBody {
  /** Of the step before; nothing where that cannot be: browsers are no people, and some skip the first steps. */
  share: number | undefined;
  /** Of the largest step, for the bar. */
  width: number;
}

export function funnelRows(steps: readonly FunnelCountBody[]): FunnelRow[] {
  const largest = Math.max(1, ...steps.map((step) => step.count));
  return steps.map((step, place) => {
    const before = steps[place - 1];
    const share = before && before.count >= step.count ? shareOf(step.count, before.count) : undefined;
    return { ...step, share, width: step.count / largest };
  });
}
