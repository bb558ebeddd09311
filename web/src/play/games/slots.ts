// The slots of an activity, as games show them: what lies where, by the index that the server answers with.
import type { PlayBody } from '../../api/wire';
import type { Language } from '../../i18n';

export interface SlotFace {
  slot: number;
  /** Nothing lies here: a draw that stops here is a miss. */
  miss: boolean;
  name: string;
  picture: string | undefined;
  kind: string;
  gone: boolean;
}

export function slotsOf(activity: PlayBody, missName: string): SlotFace[] {
  const missSlot = activity.odds?.miss_slot ?? 0;
  const last = Math.max(missSlot, ...activity.prizes.map((prize) => prize.slot ?? 0));
  return Array.from({ length: last + 1 }, (_, slot) => {
    const prize = activity.prizes.find((one) => one.slot === slot);
    if (!prize) return { slot, miss: true, name: missName, picture: undefined, kind: 'miss', gone: false };
    return {
      slot,
      miss: false,
      name: prize.name,
      picture: prize.picture,
      kind: prize.kind,
      gone: prize.left === 'none',
    };
  });
}

export const GAMES = ['wheel', 'grid', 'reels', 'box'] as const;
export type Game = (typeof GAMES)[number];

/** Which games can show so many slots. A grid is a ring of eight or twelve cells around its button. */
export function gamesFor(slots: number): Game[] {
  return GAMES.filter((game) => game !== 'grid' || slots === 8 || slots === 12);
}

/** What players see first: what their operator chose, as far as it fits. */
export function firstGame(chosen: Game | null | undefined, slots: number, pity: boolean): Game {
  return chosen && gamesFor(slots).includes(chosen) ? chosen : gameOf(slots, pity);
}

/** What fits an activity best where nobody chose. */
export function gameOf(slots: number, pity: boolean): Game {
  if (slots === 8 || slots === 12) return 'grid';
  return pity || slots < 4 ? 'box' : 'wheel';
}

/** Cells of a ring with so many on each side, clockwise from the top left, as grid rows and columns. */
export function ring(side: number): Array<[row: number, column: number]> {
  const cells: Array<[number, number]> = [];
  for (let column = 1; column <= side; column += 1) cells.push([1, column]);
  for (let row = 2; row <= side; row += 1) cells.push([row, side]);
  for (let column = side - 1; column >= 1; column -= 1) cells.push([side, column]);
  for (let row = side - 1; row >= 2; row -= 1) cells.push([row, 1]);
  return cells;
}

/** The two halves of a name that is written in two scripts ("手机 Phone"), to break between them. */
export function nameLines(name: string): string[] {
  const found = /^(.*?[\p{Script=Han}）)\d])\s+(\p{Script=Latin}.*)$/u.exec(name);
  return found?.[1] && found[2] ? [found[1], found[2]] : [name];
}

/** Of a name in two scripts the half that the reader reads, where there is no room for both. */
export function shortName(name: string, language: Language): string {
  const [first = name, second = first] = nameLines(name);
  return language === 'zh' ? first : second;
}
