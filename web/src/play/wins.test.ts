import { expect, it } from 'vitest';
import type { GivingBody } from '../api/wire';
import { sortedWins, type WinFilter } from './wins';

const win = (id: number, next: GivingBody['next'], state: GivingBody['state']) => ({
  id,
  giving: { next, state } as GivingBody,
});

const WINS = [
  win(1, 'nothing', 'given'),
  win(2, 'claim', 'claimable'),
  win(3, 'wait', 'to_ship'),
  win(4, 'claim', 'claimable'),
  win(5, 'nothing', 'shipped'),
  win(6, 'nothing', 'voided'),
];

it('what waits for me is on top, and a filter shows one kind', () => {
  const rows: Array<[WinFilter, number[]]> = [
    ['all', [2, 4, 1, 3, 5, 6]],
    ['claim', [2, 4]],
    ['coming', [3, 5]],
    ['done', [1, 6]],
  ];
  for (const [filter, ids] of rows) expect(sortedWins(WINS, filter).map(({ id }) => id)).toEqual(ids);
});
