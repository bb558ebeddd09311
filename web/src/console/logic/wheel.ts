// Which slot shows what. Pure, and as the server places them: a prize without a place has that of its row in the list,
// "no prize" the first place that no prize has.
import type { SlotFace } from '../../play/games/slots';
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

/** Places from the first to the last that has a prize or none, as games count them. */
export function countPlaces(draft: Pick<Draft, 'prizes' | 'missSlot'>): number {
  return Math.max(-1, ...placesOf(draft).map(({ slot }) => slot)) + 1;
}

/** The places as the players' games are given them, in one language. */
export function facesOf(
  draft: Pick<Draft, 'prizes' | 'missSlot'>,
  missName: string,
  english: boolean,
): SlotFace[] {
  const count = countPlaces(draft);
  return Array.from({ length: count }, (_, slot) => {
    const prize = draft.prizes.find((one, at) => (one.slot ?? at) === slot);
    if (!prize) return { slot, miss: true, name: missName, picture: undefined, kind: 'miss', gone: false };
    const name = (english && prize.nameEn) || prize.name;
    return { slot, miss: false, name, picture: prize.picture, kind: prize.kind, gone: false };
  });
}
