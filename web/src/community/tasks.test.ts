import { expect, it } from 'vitest';
import { isKnownTask, placeOf, standingOf } from './tasks';

it('says how a task stands', () => {
  for (const [done, times, period, open, expected] of [
    [0, 1, 'day', true, 'open'],
    [1, 3, 'day', true, 'open'],
    [1, 1, 'day', false, 'done'],
    [3, 3, 'month', false, 'done'],
    // A cap is used up before the times are.
    [0, 1, 'day', false, 'over'],
    [0, 1, 'each', false, 'over'],
    [0, 1, 'each', true, 'open'],
  ] as const)
    expect(standingOf({ done, times, period, open }), `${done} ${times} ${period}`).toBe(expected);
});

it('knows what it can lead to', () => {
  expect(placeOf('check_in')).toBe('/me/check-in');
  expect([isKnownTask('check_in'), isKnownTask('purchase'), isKnownTask('toString')]).toEqual([
    true,
    false,
    false,
  ]);
});
