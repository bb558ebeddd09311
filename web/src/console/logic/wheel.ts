// Which slot shows what. Pure, and as the server places them: a prize without a place has that of its row in the list,
// "no prize" the first place that no prize has.
import type { Draft } from './draft';

export interface Place {
  slot: number;
  name: string;
  picture: string;
  prize: boolean;
}

export function placesOf(draft: Pick<Draft, 'prizes' | 'missSlot'>): Place[] {
  const places: Place[] = draft.prizes.map((prize, at) => ({
    slot: prize.slot ?? at,
    name: prize.name,
    picture: /^(https?:|\/)/.test(prize.picture) ? '🖼️' : prize.picture,
    prize: true,
  }));
  const used = new Set(places.map(({ slot }) => slot));
  let miss = draft.missSlot ?? 0;
  if (draft.missSlot === null) while (used.has(miss)) miss += 1;
  if (!used.has(miss)) places.push({ slot: miss, name: '', picture: '', prize: false });
  return places.sort((a, b) => a.slot - b.slot);
}
