// The record of a ticket, as it is in the chain.
import { Malformed, Reader } from './bytes';

/** Why a prize could not be given, by number: docs/fairness.md has the table. */
export type Reason = number;
export const LOCKED: Reason = 10;
export const FALLBACK_SHORT: Reason = 8;

/** How a draw came to its end, by number: docs/fairness.md has the table. */
export type Path = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11;

export interface DrawRecord {
  path: Path;
  roll: bigint | undefined;
  prize: number | undefined;
  points: bigint;
  hit: { prize: number; reason: Reason } | undefined;
  slot: number;
}

export interface TicketRecord {
  blocked: boolean;
  activity: bigint;
  /** Whoever drew: their number among the players of the round, which leads to nobody. */
  player: number;
  clientValue: Uint8Array;
  atMs: bigint;
  round: number;
  version: number;
  firstN: number;
  day: number;
  drawsToday: number;
  drawsInAll: number;
  pointsSpent: bigint;
  misses: number;
  rulePath: Uint8Array;
  draws: Array<{ draw: DrawRecord; news: Map<number, Reason> }>;
}

const WITH_ROLL = new Set([1, 2, 5, 6]);
const WITH_PRIZE = new Set([1, 3, 4, 5, 7, 9]);
const WITH_POINTS = new Set([5, 7, 9]);
const WITH_HIT = new Set([5, 6]);
const PATH_MAX = 11;
const RULE_PATH_MAX = 33;

export function readRecord(data: Uint8Array): TicketRecord {
  const r = new Reader(data);
  r.tag('WD\x01');
  const flags = r.u(1);
  const count = flags & 15;
  if ((flags & 0x70) !== 0 || count < 1 || count > 10) throw new Malformed('flags that mean nothing');
  const record: TicketRecord = {
    blocked: flags >= 128,
    activity: r.i64(),
    player: r.player(),
    clientValue: r.take(16),
    atMs: r.i64(),
    round: r.small(),
    version: r.small(),
    firstN: r.small(),
    day: r.small(),
    drawsToday: r.small(),
    drawsInAll: r.small(),
    pointsSpent: r.short(),
    misses: r.small(),
    rulePath: new Uint8Array(),
    draws: [],
  };
  const pathLength = r.small();
  if (pathLength > RULE_PATH_MAX) throw new Malformed('a rule path that is too long');
  record.rulePath = r.take(pathLength);
  for (let n = 0; n < count; n += 1) record.draws.push({ draw: readDraw(r), news: readNews(r) });
  r.end();
  return record;
}

function readDraw(r: Reader): DrawRecord {
  const path = r.u(1);
  if (path < 1 || path > PATH_MAX) throw new Malformed('a path that means nothing');
  return {
    path: path as Path,
    roll: WITH_ROLL.has(path) ? r.short() : undefined,
    prize: WITH_PRIZE.has(path) ? r.small() : undefined,
    points: WITH_POINTS.has(path) ? r.short() : 0n,
    hit: WITH_HIT.has(path) ? { prize: r.small(), reason: r.u(1) } : undefined,
    slot: r.small(),
  };
}

function readNews(r: Reader): Map<number, Reason> {
  const news = new Map<number, Reason>();
  for (let groups = r.u(1); groups > 0; groups -= 1) {
    const reason = r.u(1);
    let end = 0;
    for (let runs = r.small(); runs > 0; runs -= 1) {
      const begin = end + r.small();
      end = begin + r.small();
      if (end > 0x1_0000) throw new Malformed('prizes that cannot be');
      for (let prize = begin; prize < end; prize += 1) news.set(prize, reason);
    }
  }
  return news;
}
