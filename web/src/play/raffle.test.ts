import { expect, it } from 'vitest';
import type { RaffleState } from '../api/wire';
import { rafflePaceMs } from './raffle';

it('looks every second from the drawing on, and is there when it comes', () => {
  const rows: Array<[state: RaffleState, nowMs: number, pace: number | false]> = [
    ['open', 0, 15_000],
    ['open', 90_000, 10_000],
    ['roll_published', 97_000, 3_000],
    ['roll_published', 99_700, 1_000],
    ['roll_published', 100_000, 1_000],
    ['open', 130_000, 1_000],
    ['waiting_for_beacon', 130_000, 15_000],
    ['drawn', 130_000, false],
  ];
  for (const [state, nowMs, pace] of rows)
    expect(rafflePaceMs({ state, draw_at_ms: 100_000 }, nowMs), `${state} at ${nowMs}`).toBe(pace);
});
