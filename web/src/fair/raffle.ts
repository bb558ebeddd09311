// Draws the winners of a raffle again: docs/raffle.md.
import { ascii, be, concat, Malformed, Reader } from './bytes';
import { firstFit, hmac, keyOf, sha256, wordsOf } from './numbers';

export interface Roll {
  activity: bigint;
  round: number;
  beacon: string;
  prizes: number[];
  entrants: Array<{ player: number; entries: number }>;
}

export interface RaffleWinner {
  prize: number;
  place: number;
  player: number;
}

export function readRoll(data: Uint8Array): Roll {
  const r = new Reader(data);
  r.tag('windfall.roll.01');
  const activity = r.i64();
  const round = r.u(4);
  const beacon = r.text();
  const prizes = Array.from({ length: r.u(4) }, () => r.u(4));
  const entrants = Array.from({ length: r.u(4) }, () => ({ player: r.player(), entries: r.u(4) }));
  r.end();
  for (let place = 1; place < entrants.length; place += 1) {
    const [a, b] = [entrants[place - 1], entrants[place]];
    if (!a || !b || a.player >= b.player) throw new Malformed('entrants do not ascend');
  }
  if (entrants.some(({ entries }) => entries < 1)) throw new Malformed('somebody entered no times');
  return { activity, round, beacon, prizes, entrants };
}

export async function drawRaffle(
  rollBytes: Uint8Array<ArrayBuffer>,
  secret: Uint8Array<ArrayBuffer>,
  beaconValue?: Uint8Array<ArrayBuffer>,
): Promise<RaffleWinner[]> {
  const roll = readRoll(rollBytes);
  if ((roll.beacon !== '') !== (beaconValue !== undefined))
    throw new Malformed('a beacon too many or too few');
  const key = await keyOf(secret);
  const hash = await sha256(rollBytes);
  const beacon = beaconValue ? await sha256(beaconValue) : new Uint8Array(32);
  const candidates = new Entries(roll.entrants.map(({ entries }) => entries));
  const winners: RaffleWinner[] = [];
  const head = concat(ascii('windfall.raffle1'), be(roll.activity, 8), be(roll.round, 4), hash);
  for (const [prize, units] of roll.prizes.entries()) {
    for (let place = 0; place < units; place += 1) {
      const { total } = candidates;
      if (total === 0n) return winners;
      let entry: bigint | undefined;
      for (let counter = 0; entry === undefined; counter += 1) {
        const value = await hmac(key, concat(head, be(prize, 4), be(place, 4), be(counter, 4), beacon));
        entry = firstFit(wordsOf(value).slice(0, 1), total)?.number;
      }
      const winner = roll.entrants[candidates.takeOut(entry)];
      if (winner) winners.push({ prize, place, player: winner.player });
    }
  }
  return winners;
}

/** Entries side by side, in the order of the roll: whose a number is, and out with them, in a few steps (a Fenwick tree). */
class Entries {
  total = 0n;
  private readonly sums: BigUint64Array;
  private readonly each: readonly number[];

  constructor(each: readonly number[]) {
    this.each = each;
    this.sums = new BigUint64Array(each.length + 1);
    for (const [at, entries] of each.entries()) this.add(at, BigInt(entries));
  }

  private add(at: number, entries: bigint): void {
    this.total += entries;
    for (let place = at + 1; place < this.sums.length; place += place & -place)
      this.sums[place] = (this.sums[place] ?? 0n) + entries;
  }

  /** The place of whoever owns this entry; from here on they own none. */
  takeOut(entry: bigint): number {
    let [at, rest] = [0, entry];
    for (let step = 2 ** Math.floor(Math.log2(this.sums.length)); step >= 1; step /= 2) {
      const sum = this.sums[at + step];
      if (sum !== undefined && sum <= rest) {
        at += step;
        rest -= sum;
      }
    }
    this.add(at, -BigInt(this.each[at] ?? 0));
    return at;
  }
}

export function sameWinners(a: RaffleWinner[], b: RaffleWinner[]): boolean {
  return (
    a.length === b.length &&
    a.every((one, at) => {
      const other = b[at];
      return other?.prize === one.prize && other.place === one.place && other.player === one.player;
    })
  );
}
