// How much a prize is worth celebrating, by what is published: its odds, or its units in a raffle.
import type { DrawBody, PlayBody } from '../../api/wire';

/** From the least to the most. A consolation is given and named, and nobody is congratulated on it. */
export const TIERS = ['miss', 'consolation', 'small', 'rare', 'grand'] as const;
export type Tier = (typeof TIERS)[number];

/** Odds up to which a prize is the grand one, and a rare one. */
const GRAND_ODDS = 0.001;
const RARE_ODDS = 0.01;

/** How operators call what they give to those who won nothing. */
const THANKS =
  /谢谢|感谢参与|感谢惠顾|重在参与|再接再厉|下次再来|未中奖|\bthank(s| you)\b|better luck|\bno prize\b/i;

/** A prize of words that says no more than "thank you for taking part". */
export function isConsolation({ kind, name }: { kind: string; name: string }): boolean {
  return kind === 'text' && THANKS.test(name);
}

type Published = Pick<PlayBody, 'odds' | 'prizes'>;
type Prize = NonNullable<DrawBody['prize']>;

export function tierOf(prize: Prize | null | undefined, { odds, prizes }: Published): Tier {
  if (!prize) return 'miss';
  if (isConsolation(prize)) return 'consolation';
  if (!odds) {
    const fewest = Math.min(...prizes.map(({ units }) => units ?? 1));
    return (prizes.find(({ id }) => id === prize.id)?.units ?? 1) <= fewest ? 'grand' : 'rare';
  }
  // Where odds rise with every draw, the first table has what everybody begins with.
  const slice = odds.tables[0]?.slices.find((one) => one.prize === prize.id);
  const share = slice ? slice.odds / odds.whole : 1;
  if (share <= GRAND_ODDS) return 'grand';
  return share <= RARE_ODDS ? 'rare' : 'small';
}

/** Of several, the best one; what a ten-draw is celebrated by. */
export function bestDraw(
  draws: readonly DrawBody[],
  published: Published,
): { draw: DrawBody | undefined; tier: Tier } {
  let [draw, tier]: [DrawBody | undefined, Tier] = [draws[0], 'miss'];
  for (const one of draws) {
    const its = tierOf(one.prize, published);
    if (TIERS.indexOf(its) > TIERS.indexOf(tier)) [draw, tier] = [one, its];
  }
  return { draw, tier };
}
