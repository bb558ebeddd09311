// My wins: what waits for me first, and by where they stand.
import type { WinBody } from '../api/wire';

export const WIN_FILTERS = ['all', 'claim', 'coming', 'done'] as const;
export type WinFilter = (typeof WIN_FILTERS)[number];

type Given = Pick<WinBody, 'giving'>;

/** Where a win stands for its winner: it waits for them, they wait for it, or nothing is left to do. */
function stageOf({ giving: { next, state } }: Given): Exclude<WinFilter, 'all'> {
  if (next === 'claim') return 'claim';
  return next === 'wait' || state === 'shipped' ? 'coming' : 'done';
}

/** Those of the filter; what can be claimed before everything else, and each part in the order it came in. */
export function sortedWins<W extends Given>(wins: readonly W[], filter: WinFilter): W[] {
  const kept = filter === 'all' ? wins : wins.filter((win) => stageOf(win) === filter);
  const waits = (win: W) => stageOf(win) === 'claim';
  return [...kept.filter(waits), ...kept.filter((win) => !waits(win))];
}
