import { describe, expect, it } from 'vitest';
import type { CohortBody, StatisticsDayBody } from '../../api/wire';
import { funnelRows, isEmpty, shareOf, shiftDay, sumsOf, togetherOf } from './statistics';

const day = (change: Partial<StatisticsDayBody>): StatisticsDayBody => ({
  day: '2026-11-18',
  visitors: 0,
  visitors_exact: true,
  people: 0,
  new_people: 0,
  posts: 0,
  draws: 0,
  orders: 0,
  paid: 0,
  ...change,
});

describe('statistics', () => {
  it.each([
    ['2026-11-18', 1, '2026-11-19'],
    ['2026-11-18', -27, '2026-10-22'],
    ['2024-02-28', 1, '2024-02-29'],
    ['2026-12-31', 1, '2027-01-01'],
    // Clocks go back on that day somewhere.
    ['2026-10-25', 1, '2026-10-26'],
    ['soon', 1, 'soon'],
  ])('%s and %i days are %s', (from, days, expected) => {
    expect(shiftDay(from, days)).toBe(expected);
  });

  it('adds up what can be added up', () => {
    const days = [day({ new_people: 2, draws: 5, people: 9 }), day({ new_people: 1, posts: 3, paid: 1 })];
    expect(sumsOf(days)).toEqual({ new_people: 3, posts: 3, draws: 5, orders: 0, paid: 1 });
  });

  it('is empty when nobody came and nothing happened', () => {
    expect(isEmpty([])).toBe(true);
    expect(isEmpty([day({}), day({})])).toBe(true);
    for (const change of [{ visitors: 1 }, { people: 1 }, { draws: 1 }])
      expect(isEmpty([day({}), day(change)])).toBe(false);
  });

  it('has no share of nothing', () => {
    expect([shareOf(1, 4), shareOf(0, 4), shareOf(0, 0)]).toEqual([0.25, 0, undefined]);
  });

  it('puts cohorts together, without those whose later day is not over', () => {
    const cohort = (new_people: number, first?: number, second?: number): CohortBody => ({
      day: '2026-11-01',
      new_people,
      again: [
        { after_days: 1, ...(first === undefined ? {} : { people: first }) },
        { after_days: 7, ...(second === undefined ? {} : { people: second }) },
      ],
    });
    expect(togetherOf([cohort(10, 5, 1), cohort(30, 3), cohort(99)])).toEqual([
      { after: 1, people: 8, of: 40 },
      { after: 7, people: 1, of: 10 },
    ]);
    expect(togetherOf([])).toEqual([]);
  });

  it('says which part of the step before got on', () => {
    const rows = funnelRows([
      { step: 'visitors', count: 8, exact: false },
      { step: 'signed_in', count: 4, exact: true },
      { step: 'played', count: 5, exact: true },
      { step: 'won', count: 0, exact: true },
      { step: 'claimed', count: 0, exact: true },
    ]);
    expect(rows.map(({ share }) => share)).toEqual([undefined, 0.5, undefined, 0, undefined]);
    expect(rows.map(({ width }) => width)).toEqual([1, 0.5, 0.625, 0, 0]);
  });
});
