// One draw, decided again from its inputs.
import { below, type Drawn, POINTS, ROLL } from './numbers';
import { type DrawRecord, FALLBACK_SHORT, LOCKED, type Path, type Reason, type TicketRecord } from './record';
import { prizeOf, type Slice, type Strategy } from './strategy';

/** The player's counts before the draw. */
export interface Counts {
  today: number;
  inAll: number;
  misses: number;
}

export interface Decided {
  draw: DrawRecord;
  /** Excluded prizes that mattered, beside locked ones. */
  mattered: Map<number, Reason>;
  /** The slices the roll fell among, and what it was drawn below; absent where no roll was needed. */
  wheel: { slices: Slice[]; bound: bigint } | undefined;
  roll: Drawn | undefined;
  points: Drawn | undefined;
}

export async function decide(
  strategy: Strategy,
  key: CryptoKey,
  record: TicketRecord,
  n: number,
  counts: Counts,
  known: ReadonlyMap<number, Reason>,
): Promise<Decided> {
  const excluded = new Map<number, Reason>();
  let wheel: Decided['wheel'];
  let rolled: Drawn | undefined;
  let pointsDrawn: Drawn | undefined;

  const there = (prize: number): boolean => {
    const why = known.get(prize);
    const { unlock } = prizeOf(strategy, prize);
    const finished = unlock?.inAll ? counts.inAll : counts.today;
    const locked = unlock !== undefined && finished + (unlock.currentCounts ? 1 : 0) < unlock.draws;
    if (why !== undefined && why !== FALLBACK_SHORT) excluded.set(prize, why);
    else if (locked) excluded.set(prize, LOCKED);
    return !excluded.has(prize);
  };
  const out = (path: Path, prize?: number, points = 0n, hit?: DrawRecord['hit']): Decided => {
    const slot = prize === undefined ? strategy.missSlot : prizeOf(strategy, prize).slot;
    const mattered = new Map([...excluded].filter(([, why]) => why !== LOCKED));
    const draw: DrawRecord = { path, roll: rolled?.number, prize, points, hit, slot };
    return { draw, mattered, wheel, roll: rolled, points: pointsDrawn };
  };
  const instead = async (path: 5 | 7 | 9, hit?: DrawRecord['hit']): Promise<Decided> => {
    const { fallback } = strategy;
    if (fallback && there(fallback.prize)) {
      if (known.get(fallback.prize) !== FALLBACK_SHORT) {
        pointsDrawn = await below(key, POINTS, record, n, fallback.to - fallback.from + 1n);
        return out(path, fallback.prize, fallback.from + pointsDrawn.number, hit);
      }
      excluded.set(fallback.prize, FALLBACK_SHORT);
    }
    return out((path + 1) as 6 | 8 | 10, undefined, 0n, hit);
  };

  if (record.blocked) {
    if (strategy.consolation === undefined) return out(11);
    return there(strategy.consolation) ? out(3, strategy.consolation) : instead(9);
  }
  const { pity } = strategy;
  if (pity && counts.misses >= pity.misses && there(pity.prize)) return out(4, pity.prize);

  let slices = tableFor(strategy, record, counts);
  let bound = strategy.whole;
  if (strategy.renormalised) {
    const gone = slices.filter(({ prize }) => !there(prize));
    bound -= gone.reduce((sum, { odds }) => sum + odds, 0n);
    slices = slices.filter(({ prize }) => !excluded.has(prize));
    if (slices.length === 0) return instead(7);
  }
  wheel = { slices, bound };
  rolled = await below(key, ROLL, record, n, bound);
  let end = 0n;
  for (const { prize, odds } of slices) {
    end += odds;
    if (rolled.number < end) {
      if (there(prize)) return out(1, prize);
      return instead(5, { prize, reason: excluded.get(prize) ?? LOCKED });
    }
  }
  return out(2);
}

function tableFor(strategy: Strategy, record: TicketRecord, counts: Counts): Slice[] {
  const { tiers } = strategy;
  const measure = tiers?.byPoints ? record.pointsSpent : BigInt(counts.inAll);
  const tier = tiers?.list.filter(({ from }) => from <= measure).at(-1);
  return strategy.tables[tier?.table ?? 0] ?? [];
}

/** What of `mattered` no earlier draw of the ticket has told. */
export function newsOf(
  mattered: ReadonlyMap<number, Reason>,
  before: ReadonlyMap<number, Reason>,
): Map<number, Reason> {
  return new Map([...mattered].filter(([prize, why]) => before.get(prize) !== why));
}

export function sameDraw(a: DrawRecord, b: DrawRecord): boolean {
  return (
    a.path === b.path &&
    a.roll === b.roll &&
    a.prize === b.prize &&
    a.points === b.points &&
    a.hit?.prize === b.hit?.prize &&
    a.hit?.reason === b.hit?.reason &&
    a.slot === b.slot
  );
}

export function sameNews(a: ReadonlyMap<number, Reason>, b: ReadonlyMap<number, Reason>): boolean {
  return a.size === b.size && [...a].every(([prize, why]) => b.get(prize) === why);
}
