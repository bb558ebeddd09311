// How far it is to the prize that is guaranteed after so many draws without one.
import type { DrawBody } from '../api/wire';

/**
 * Draws at most until the guaranteed prize, the one that gives it included. `newest` are the player's draws of this round,
 * the newest first; `complete` says that there are no older ones. Nothing where they do not reach far enough back.
 */
export function drawsToGuarantee(
  newest: ReadonlyArray<Pick<DrawBody, 'prize'>>,
  misses: number,
  complete: boolean,
): number | undefined {
  const won = newest.findIndex(({ prize }) => prize);
  if (won === -1 && !complete && newest.length < misses) return undefined;
  const run = Math.min(misses, won === -1 ? newest.length : won);
  return misses - run + 1;
}
