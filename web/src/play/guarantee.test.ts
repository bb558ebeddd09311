import { expect, it } from 'vitest';
import type { DrawBody } from '../api/wire';
import { drawsToGuarantee } from './guarantee';

/** Draws by letters, the newest first: a prize or a miss. */
const draws = (text: string) =>
  Array.from(text, (letter) => ({ prize: letter === 'p' ? ({} as NonNullable<DrawBody['prize']>) : null }));

it('counts the misses since the last prize', () => {
  const rows: Array<[newest: string, complete: boolean, left: number | undefined]> = [
    ['', true, 5],
    ['p', true, 5],
    ['mm', true, 3],
    ['mmpmmm', true, 3],
    ['mmmm', true, 1],
    ['mmmmmm', true, 1],
    ['mmmm', false, 1],
    ['mm', false, undefined],
    ['mp', false, 4],
  ];
  for (const [newest, complete, left] of rows)
    expect(drawsToGuarantee(draws(newest), 4, complete), newest).toBe(left);
});
