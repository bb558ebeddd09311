// The strategy in its published form: prizes, odds and rules.
import { Malformed, Reader } from './bytes';

export interface Unlock {
  draws: number;
  inAll: boolean;
  currentCounts: boolean;
}

export interface StrategyPrize {
  id: number;
  name: string;
  slot: number;
  stock: { pool: bigint; units: bigint } | undefined;
  cost: bigint;
  unlock: Unlock | undefined;
  winCap: number | undefined;
  release: Array<{ at: bigint; units: bigint }>;
  hourlyCap: number | undefined;
  /** Risk labels: whoever carries one of them cannot win it. */
  withdrawnFor: string[];
}

export interface Slice {
  prize: number;
  odds: bigint;
}

export interface Strategy {
  version: number;
  whole: bigint;
  renormalised: boolean;
  prizes: Map<number, StrategyPrize>;
  tables: Slice[][];
  missSlot: number;
  tiers: { byPoints: boolean; list: Array<{ from: bigint; table: number }> } | undefined;
  consolation: number | undefined;
  fallback: { prize: number; from: bigint; to: bigint; budget: bigint } | undefined;
  pity: { prize: number; misses: number } | undefined;
  totalBudget: bigint | undefined;
  dailyBudget: bigint | undefined;
}

/** The forms of a strategy: without and with risk labels. */
const PLAIN = 1;
const LABELLED = 2;

export function readStrategy(data: Uint8Array): Strategy {
  const r = new Reader(data);
  r.tag('WS');
  const form = r.u(1);
  if (form !== PLAIN && form !== LABELLED) throw new Malformed('a form of strategy that is not known');
  const version = r.u(4);
  const whole = r.u64();
  const renormalised = flag(r);
  const prizes = r.list(() => readPrize(r, form));
  const tables = r.list(() => r.list(() => ({ prize: r.u(2), odds: r.u64() })));
  const missSlot = r.u(2);
  const tiers = r.option(() => ({
    byPoints: flag(r),
    list: r.list(() => ({ from: r.u64(), table: r.u(1) })),
  }));
  const consolation = r.option(() => r.u(2));
  const fallback = r.option(() => ({ prize: r.u(2), from: r.u64(), to: r.u64(), budget: r.u64() }));
  const pity = r.option(() => ({ prize: r.u(2), misses: r.u(4) }));
  const totalBudget = r.option(() => r.u64());
  const dailyBudget = r.option(() => r.u64());
  r.end();
  if (form === LABELLED && prizes.every(({ withdrawnFor }) => withdrawnFor.length === 0))
    throw new Malformed('a form for risk labels, and there is none');
  return {
    version,
    whole,
    renormalised,
    prizes: new Map(prizes.map((prize) => [prize.id, prize])),
    tables,
    missSlot,
    tiers,
    consolation,
    fallback,
    pity,
    totalBudget,
    dailyBudget,
  };
}

function readPrize(r: Reader, form: number): StrategyPrize {
  return {
    id: r.u(2),
    name: r.text(),
    slot: r.u(2),
    stock: r.option(() => ({ pool: r.i64(), units: r.u64() })),
    cost: r.u64(),
    unlock: r.option(() => ({ draws: r.u(4), inAll: flag(r), currentCounts: flag(r) })),
    winCap: r.option(() => r.u(4)),
    release: r.list(() => ({ at: r.i64(), units: r.u64() })),
    hourlyCap: r.option(() => r.u(4)),
    withdrawnFor: form === LABELLED ? r.list(() => r.text()) : [],
  };
}

function flag(r: Reader): boolean {
  const value = r.u(1);
  if (value > 1) throw new Malformed('neither yes nor no');
  return value === 1;
}

export function prizeOf(strategy: Strategy, id: number): StrategyPrize {
  const prize = strategy.prizes.get(id);
  if (!prize) throw new Malformed(`there is no prize ${id}`);
  return prize;
}
