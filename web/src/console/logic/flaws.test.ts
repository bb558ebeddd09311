import { expect, it } from 'vitest';
import { wordsOf } from '../../i18n';
import words from '../words/console.en';
import { labelOf, stillThere } from './flaws';

it('a flaw is gone when its field was changed, and only then', () => {
  const judged = { name: '', chances: { day: 9 }, prizes: [{ name: 'a', odds: 1 }] };
  const flaws = ['name', 'chances.day', 'prizes[0].odds', 'prizes', 'tree'].map((field) => ({ field }));
  for (const [now, left] of [
    [judged, ['name', 'chances.day', 'prizes[0].odds', 'prizes', 'tree']],
    [{ ...judged, name: 'x' }, ['chances.day', 'prizes[0].odds', 'prizes', 'tree']],
    [{ ...judged, chances: {} }, ['name', 'prizes[0].odds', 'prizes', 'tree']],
    [{ ...judged, prizes: [{ name: 'b', odds: 1 }] }, ['name', 'chances.day', 'prizes[0].odds', 'tree']],
    [{ name: 'x', chances: { day: 1 }, prizes: [], tree: '7' }, []],
  ] as const) {
    expect(stillThere(flaws, judged, now).map(({ field }) => field)).toEqual(left);
  }
});

it('fields are called what the page calls them', () => {
  const t = (key: string, values = {}) => wordsOf(words, 'en', key, values);
  for (const [field, label] of [
    ['name', 'Name'],
    ['chances.day', 'Chances for everybody · Per day'],
    ['prizes', 'Prizes'],
    ['prizes[1].units', 'Prize 2 · Units'],
    ['prizes[0].release[3].units', 'Prize 1 · Release'],
    ['prizes[4]', 'Prize 5'],
    ['tiers.steps[0].from', 'Tiers'],
    ['sale.gate.room.per_second', 'People let in per second'],
    ['lines.5', 'Line 5'],
    ['something_new', undefined],
  ] as const) {
    expect(labelOf(field, t), field).toBe(label);
  }
});
