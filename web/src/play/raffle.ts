// When the page looks at a raffle again: so that the drawing is seen in the second that it happens, and nobody asks more
// often than is needed before.
import type { RaffleStateBody } from '../api/wire';

const FAR_MS = 15_000;
const NEAR_MS = 1_000;

/** Milliseconds until the next look; never, once the winners are drawn. */
export function rafflePaceMs(
  { state, draw_at_ms }: Pick<RaffleStateBody, 'state' | 'draw_at_ms'>,
  nowMs: number,
): number | false {
  if (state === 'drawn') return false;
  // The public value comes when it comes.
  if (state === 'waiting_for_beacon') return FAR_MS;
  return Math.min(FAR_MS, Math.max(NEAR_MS, draw_at_ms - nowMs));
}
