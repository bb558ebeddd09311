import { describe, expect, it } from 'vitest';
import { offsetOf } from './clock';
import { left, untilChange } from './countdown';

describe('a countdown', () => {
  const to = 1_000_000_000;
  it.each([
    ['at the moment', 0, [0, 0, 0, 0]],
    ['after it', -5000, [0, 0, 0, 0]],
    ['a millisecond before', 1, [0, 0, 0, 1]],
    ['a second before', 1000, [0, 0, 0, 1]],
    ['a little more than a second', 1001, [0, 0, 0, 2]],
    ['an hour', 3_600_000, [0, 1, 0, 0]],
    ['two days and a bit', 2 * 86_400_000 + 3_661_000, [2, 1, 1, 1]],
  ])('shows what is left %s', (_, ms, expected) => {
    const { days, hours, minutes, seconds } = left(to - ms, to);
    expect([days, hours, minutes, seconds]).toEqual(expected);
  });

  it('is drawn anew just when it shows something else, and then no more', () => {
    for (const ms of [1, 500, 999, 1000, 1001, 59_999, 60_000]) {
      const now = to - ms;
      const wait = untilChange(now, to);
      expect(left(now + wait, to), `${ms} ms before`).not.toEqual(left(now, to));
      expect(left(now + wait - 1, to)).toEqual(left(now, to));
    }
    expect(untilChange(to, to)).toBe(Number.POSITIVE_INFINITY);
  });
});

it('the server’s clock is taken from the middle of asking and hearing', () => {
  expect(offsetOf({ askedAt: 100, answeredAt: 300, serverMs: 5_000_200 })).toEqual({
    offsetMs: 5_000_000,
    uncertaintyMs: 100,
  });
});
