// What the draws of a round came to, whichever version they were made under: inputs of a draw that follow from the
// draws before it are checked against these counters.
import { Malformed, same } from './bytes';
import { decide, newsOf, sameDraw, sameNews } from './decide';
import type { Reason, TicketRecord } from './record';
import { prizeOf, type Strategy } from './strategy';

const DAY_MS = 86_400_000n;
const HOUR_MS = 3_600_000n;
/** Reasons that a prize which was given must not have. */
const AGAINST_GIVING = [4, 5, 6, 7, 9];

interface Player {
  n: number;
  day: number;
  today: number;
  misses: number;
  clientValue: Uint8Array;
  wins: Map<number, number>;
}

export class RoundSoFar {
  private atMs = -(1n << 63n);
  private day = 0;
  private date = Number.NEGATIVE_INFINITY;
  private spent = 0n;
  private spentToday = 0n;
  private points = 0n;
  private given = new Map<number, number>();
  private thisHour = new Map<number, number>();
  private players = new Map<number, Player>();

  /** Decides every draw of the record again. Throws `Malformed` at the first that is not as it should be. */
  async follow(strategy: Strategy, key: CryptoKey, record: TicketRecord): Promise<void> {
    const player = this.begin(record);
    let known = new Map<number, Reason>();
    for (const { draw, news } of record.draws) {
      const before = known;
      known = new Map([...known, ...news]);
      const counts = { today: player.today, inAll: player.n, misses: player.misses };
      const again = await decide(strategy, key, record, player.n, counts, known);
      if (!sameDraw(again.draw, draw) || !sameNews(newsOf(again.mattered, before), news)) {
        throw new Malformed(`draw ${player.n} does not come out as recorded`);
      }
      for (const [prize, reason] of news) {
        if (!this.holds(strategy, player, prize, reason))
          throw new Malformed(`reason ${reason} does not hold`);
      }
      if (draw.prize !== undefined) {
        const reasons = draw.points > 0n ? [...AGAINST_GIVING, 8] : AGAINST_GIVING;
        const prize = draw.prize;
        if (reasons.some((reason) => this.holds(strategy, player, prize, reason))) {
          throw new Malformed(`prize ${prize} could not be given`);
        }
        this.count(strategy, player, prize, draw.points);
      }
      player.n += 1;
      player.today += 1;
      player.misses = draw.prize === undefined ? player.misses + 1 : 0;
    }
  }

  private begin(record: TicketRecord): Player {
    let player = this.players.get(record.player);
    if (!player) {
      player = {
        n: 0,
        day: record.day,
        today: 0,
        misses: 0,
        clientValue: record.clientValue,
        wins: new Map(),
      };
      this.players.set(record.player, player);
    }
    if (player.day !== record.day) Object.assign(player, { day: record.day, today: 0 });
    if (this.day !== record.day) {
      this.day = record.day;
      this.spentToday = 0n;
    }
    if (floorDiv(this.atMs, HOUR_MS) !== floorDiv(record.atMs, HOUR_MS)) this.thisHour.clear();
    if (record.atMs < this.atMs) throw new Malformed('time went back');
    const date = daysOf(record.day);
    if (
      date === undefined ||
      Math.abs(date - Number(floorDiv(record.atMs, DAY_MS))) > 1 ||
      date < this.date
    ) {
      throw new Malformed(`the day ${record.day} fits neither the moment nor the records before`);
    }
    this.date = date;
    this.atMs = record.atMs;
    const fits =
      record.firstN === player.n &&
      record.drawsInAll === player.n &&
      record.drawsToday === player.today &&
      record.misses === player.misses &&
      same(record.clientValue, player.clientValue);
    if (!fits) throw new Malformed('the counts of a player are not what the records before say');
    return player;
  }

  private holds(strategy: Strategy, player: Player, id: number, reason: Reason): boolean {
    const prize = prizeOf(strategy, id);
    const beyond = (cap: bigint | undefined, spent: bigint) => cap !== undefined && spent + prize.cost > cap;
    const given = this.given.get(id) ?? 0;
    switch (reason) {
      case 1:
        return prize.stock !== undefined;
      case 2:
        return true;
      case 3:
        return prize.withdrawnFor.length > 0;
      case 4: {
        const released = prize.release.filter(({ at }) => at <= this.atMs).at(-1)?.units ?? 0n;
        return prize.release.length > 0 && BigInt(given) >= released;
      }
      case 5:
        return prize.hourlyCap !== undefined && (this.thisHour.get(id) ?? 0) >= prize.hourlyCap;
      case 6:
        return beyond(strategy.totalBudget, this.spent);
      case 7:
        return beyond(strategy.dailyBudget, this.spentToday);
      case 8: {
        const { fallback } = strategy;
        return fallback?.prize === id && fallback.budget - this.points < fallback.to;
      }
      case 9:
        return prize.winCap !== undefined && (player.wins.get(id) ?? 0) >= prize.winCap;
      default:
        return false;
    }
  }

  private count(strategy: Strategy, player: Player, id: number, points: bigint): void {
    const prize = prizeOf(strategy, id);
    this.spent += prize.cost;
    this.spentToday += prize.cost;
    this.points += points;
    for (const counter of [this.given, this.thisHour]) counter.set(id, (counter.get(id) ?? 0) + 1);
    if (prize.winCap !== undefined) player.wins.set(id, (player.wins.get(id) ?? 0) + 1);
  }
}

function floorDiv(a: bigint, b: bigint): bigint {
  const quotient = a / b;
  return a % b < 0n ? quotient - 1n : quotient;
}

/** A date written as yyyymmdd in days since 1970, if there is such a date. */
export function daysOf(day: number): number | undefined {
  const [year, month, date] = [Math.floor(day / 10_000), Math.floor(day / 100) % 100, day % 100];
  const moment = new Date(0);
  moment.setUTCFullYear(year, month - 1, date);
  const real =
    moment.getUTCFullYear() === year && moment.getUTCMonth() === month - 1 && moment.getUTCDate() === date;
  return real ? Math.floor(moment.getTime() / Number(DAY_MS)) : undefined;
}
