import { expect, it } from 'vitest';
import type { DrawBody, PlayBody } from '../../api/wire';
import { bestDraw, isConsolation, type Tier, tierOf } from './tiers';

it('a prize of words that only says thank you is a consolation', () => {
  for (const [kind, name, expected] of [
    ['text', '谢谢参与 Thank you', true],
    ['text', '谢谢惠顾', true],
    ['text', '再接再厉', true],
    ['text', 'Better luck next time', true],
    ['text', 'No prize', true],
    ['text', 'Thanksgiving dinner', false],
    ['text', '加油卡', false],
    ['text', '礼品卡 Gift card', false],
    ['parcel', '谢谢茶 Thank you tea', false],
    ['points', '谢谢参与', false],
  ] as const)
    expect(isConsolation({ kind, name }), name).toBe(expected);
});

const prize = (id: number, name = 'Tea') => ({ id, name, kind: 'parcel' }) as NonNullable<DrawBody['prize']>;
const instant = {
  prizes: [],
  odds: {
    whole: 1_000_000,
    tables: [
      { slices: [20, 1_000, 1_001, 10_000, 10_001].map((odds, id) => ({ prize: id, odds })) },
      { slices: [{ prize: 0, odds: 900_000 }] },
    ],
  },
} as unknown as PlayBody;
const raffle = {
  odds: null,
  prizes: [
    { id: 0, units: 1 },
    { id: 1, units: 10 },
  ],
} as unknown as PlayBody;

it('the rarer, the bigger; of a raffle the prize that there are fewest of', () => {
  const rows: Array<[PlayBody, number, Tier]> = [
    [instant, 0, 'grand'],
    [instant, 1, 'grand'],
    [instant, 2, 'rare'],
    [instant, 3, 'rare'],
    [instant, 4, 'small'],
    [instant, 7, 'small'],
    [raffle, 0, 'grand'],
    [raffle, 1, 'rare'],
  ];
  for (const [published, id, tier] of rows) expect(tierOf(prize(id), published), `prize ${id}`).toBe(tier);
  expect(tierOf(null, instant)).toBe('miss');
  expect(tierOf({ ...prize(0, '谢谢参与'), kind: 'text' }, instant)).toBe('consolation');
});

it('ten draws are celebrated by the best of them', () => {
  const draws = [undefined, 4, 2, 4].map((id, n) => ({
    n,
    prize: id === undefined ? null : prize(id),
  })) as DrawBody[];
  expect(bestDraw(draws, instant)).toEqual({ draw: draws[2], tier: 'rare' });
  expect(bestDraw([], instant)).toEqual({ draw: undefined, tier: 'miss' });
});
