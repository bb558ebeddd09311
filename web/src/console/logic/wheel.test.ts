import { expect, it } from 'vitest';
import { firstGame } from '../../play/games/slots';
import { newDraft, newPrize } from './draft';
import { countPlaces, facesOf } from './wheel';

function draftWith(slots: (number | null)[], missSlot: number | null = null) {
  const prizes = slots.map((slot, at) => ({
    ...newPrize([]),
    id: at,
    name: `奖 ${at}`,
    nameEn: `Prize ${at}`,
    slot,
  }));
  return { ...newDraft(0, 'UTC'), prizes, missSlot };
}

it.each([
  [[], null, 1],
  [[null, null], null, 3],
  [[0, 5], null, 6],
  [[0, 1], 7, 8],
])('counts places as the games do: %j with no prize at %s', (slots, miss, places) => {
  expect(countPlaces(draftWith(slots, miss))).toBe(places);
});

it('shows the places that players will see, in the language of the reader', () => {
  const draft = draftWith([2, 0]);
  expect(facesOf(draft, 'Nothing', true).map(({ name, miss }) => [name, miss])).toEqual([
    ['Prize 1', false],
    ['Nothing', true],
    ['Prize 0', false],
  ]);
  expect(facesOf(draft, '谢谢', false)[0]?.name).toBe('奖 1');
});

it.each([
  ['reels', 8, 'reels'],
  ['grid', 8, 'grid'],
  ['grid', 7, 'wheel'],
  [null, 8, 'grid'],
  [undefined, 5, 'wheel'],
] as const)('players who were given %s with %i places see the %s', (chosen, places, game) => {
  expect(firstGame(chosen, places, false)).toBe(game);
});
