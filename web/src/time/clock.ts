// The server's clock, as well as a page can know it. Countdowns go by it: a phone that is two minutes fast must not
// open a sale two minutes early.
import { API_ROOT } from '../api/client';

/** How often the clock is set anew. */
const SET_EVERY_MS = 300_000;

/** One answer of `GET /time`: when it was asked and answered on our stopwatch, and what it said. */
export interface Sample {
  askedAt: number;
  answeredAt: number;
  serverMs: number;
}

/** What to add to the stopwatch to have the server's time, and how far off that may be. */
export interface Offset {
  offsetMs: number;
  uncertaintyMs: number;
}

/** The answer was written somewhere between asking and hearing: the middle is the best guess. */
export function offsetOf({ askedAt, answeredAt, serverMs }: Sample): Offset {
  return { offsetMs: serverMs - (askedAt + answeredAt) / 2, uncertaintyMs: (answeredAt - askedAt) / 2 };
}

let known: Offset = { offsetMs: Date.now() - performance.now(), uncertaintyMs: Number.POSITIVE_INFINITY };

/** Now, by the server's clock, in milliseconds since 1970. */
export function serverNow(): number {
  return performance.now() + known.offsetMs;
}

let currency = 'CNY';

/** What the site reckons costs and budgets in: told with the time. */
export function siteCurrency(): string {
  return currency;
}

export async function setClock(): Promise<void> {
  try {
    const askedAt = performance.now();
    const response = await fetch(`${API_ROOT}/time`, { cache: 'no-store' });
    const answeredAt = performance.now();
    if (!response.ok) return;
    const told = (await response.json()) as { now_ms: number; currency?: string };
    known = offsetOf({ askedAt, answeredAt, serverMs: told.now_ms });
    currency = told.currency ?? currency;
  } catch {
    // Without an answer the last known offset goes on.
  }
}

/** Sets the clock now, now and then, and whenever the page wakes up: a sleeping phone's stopwatch may have stood still. */
export function keepClock(): void {
  void setClock();
  setInterval(() => void setClock(), SET_EVERY_MS);
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden) void setClock();
  });
  window.addEventListener('online', () => void setClock());
}
