// The days of a month as a calendar shows them, and dates as people write them. Dates are texts such as `2026-11-18`: days of the
// site's calendar, in no time zone.

const DAY_MS = 86_400_000;
const WEEK = 7;
/** A Monday. */
const MONDAY_MS = Date.UTC(2024, 0, 1);

const textOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);
const startOf = (month: string) => Date.parse(`${month}-01T00:00:00Z`);

/** The weeks of a month from Monday on, with nothing where a day is of another month. */
export function weeksOf(month: string): (string | undefined)[][] {
  const start = startOf(month);
  const before = (new Date(start).getUTCDay() + WEEK - 1) % WEEK;
  const length = Math.round((startOf(monthAfter(month, 1)) - start) / DAY_MS);
  const days = Array.from({ length: Math.ceil((before + length) / WEEK) * WEEK }, (_, place) => {
    const day = place - before;
    return day >= 0 && day < length ? textOf(start + day * DAY_MS) : undefined;
  });
  return Array.from({ length: days.length / WEEK }, (_, week) => days.slice(week * WEEK, (week + 1) * WEEK));
}

/** The month so many months later. */
export function monthAfter(month: string, by: number): string {
  const start = new Date(startOf(month));
  return textOf(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + by, 1)).slice(0, 7);
}

const format = (language: string, options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat(language === 'zh' ? 'zh-CN' : 'en', { ...options, timeZone: 'UTC' });

/** `November 2026`. */
export const monthText = (month: string, language: string) =>
  format(language, { year: 'numeric', month: 'long' }).format(startOf(month));

/** `November 18`. */
export const dayText = (day: string, language: string) =>
  format(language, { month: 'long', day: 'numeric' }).format(Date.parse(`${day}T00:00:00Z`));

/** Monday to Sunday, short and in full. */
export const weekdays = (language: string) =>
  Array.from({ length: WEEK }, (_, day) => {
    const at = MONDAY_MS + day * DAY_MS;
    return {
      short: format(language, { weekday: 'narrow' }).format(at),
      long: format(language, { weekday: 'long' }).format(at),
    };
  });
