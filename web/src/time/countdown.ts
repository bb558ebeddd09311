// What a countdown shows. Pure: time comes in as an argument.

export interface Left {
  days: number;
  hours: number;
  minutes: number;
  seconds: number;
}

/** Rounded up: "0 seconds" is shown from the very moment on, and not a second before it. */
export function left(fromMs: number, toMs: number): Left {
  const seconds = Math.max(0, Math.ceil((toMs - fromMs) / 1000));
  return {
    days: Math.floor(seconds / 86_400),
    hours: Math.floor(seconds / 3600) % 24,
    minutes: Math.floor(seconds / 60) % 60,
    seconds: seconds % 60,
  };
}

/** Milliseconds until what is shown changes; for ever when it is over. */
export function untilChange(fromMs: number, toMs: number): number {
  if (toMs <= fromMs) return Number.POSITIVE_INFINITY;
  return ((toMs - fromMs - 1) % 1000) + 1;
}

export function twoDigits(value: number): string {
  return String(value).padStart(2, '0');
}
