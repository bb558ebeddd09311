// How much of the time to pay is left. Pure: time comes in as an argument.

export interface Hold {
  /** Of the whole time, from 1 down to 0. */
  share: number;
  /** Little enough to say so. */
  urgent: boolean;
  over: boolean;
}

/** The last minute, or the last fifth of a time that is shorter than five of them. */
const URGENT_MS = 60_000;
const URGENT_SHARE = 0.2;

/** An order made at `madeMs` that may be paid until just before `dueMs`. */
export function holdOf(madeMs: number, dueMs: number, nowMs: number): Hold {
  const whole = Math.max(1, dueMs - madeMs);
  const left = Math.min(whole, Math.max(0, dueMs - nowMs));
  const over = left === 0;
  return { share: left / whole, urgent: !over && left <= Math.min(URGENT_MS, whole * URGENT_SHARE), over };
}
