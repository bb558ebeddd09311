import { expect, it } from 'vitest';
import { dayText, monthAfter, monthText, weekdays, weeksOf } from './calendar';

it('shows a month in whole weeks from Monday on', () => {
  for (const [month, weeks, first, days] of [
    // Begins on a Sunday.
    ['2026-11', 6, 6, 30],
    // Begins on a Monday and is four weeks long.
    ['2027-02', 4, 0, 28],
    ['2028-02', 5, 1, 29],
    ['2026-12', 5, 1, 31],
  ] as const) {
    const all = weeksOf(month);
    expect(all.length, month).toBe(weeks);
    expect(all.every((week) => week.length === 7)).toBe(true);
    expect(
      all[0]?.findIndex((day) => day !== undefined),
      month,
    ).toBe(first);
    const shown = all.flat().filter((day) => day !== undefined);
    expect(shown.length).toBe(days);
    expect([shown[0], shown.at(-1)]).toEqual([`${month}-01`, `${month}-${days}`]);
  }
});

it('goes from month to month across years', () => {
  for (const [month, by, expected] of [
    ['2026-11', 1, '2026-12'],
    ['2026-12', 1, '2027-01'],
    ['2027-01', -1, '2026-12'],
    ['2026-11', -12, '2025-11'],
  ] as const)
    expect(monthAfter(month, by)).toBe(expected);
});

it('writes dates without a time zone', () => {
  expect(monthText('2026-11', 'en')).toBe('November 2026');
  expect(monthText('2026-11', 'zh')).toBe('2026年11月');
  expect(dayText('2026-11-01', 'en')).toBe('November 1');
  expect(dayText('2026-11-01', 'zh')).toBe('11月1日');
  expect(weekdays('en').map((day) => day.long)[0]).toBe('Monday');
  expect(weekdays('zh').map((day) => day.short)).toEqual(['一', '二', '三', '四', '五', '六', '日']);
});
