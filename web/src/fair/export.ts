// Checks a whole export, line by line, as `windfall verify` does: same file, same verdict.
import { fromHex, Malformed, same, toHex } from './bytes';
import { firstLink, nextLink } from './chain';
import { RoundSoFar } from './follow';
import { keyOf, sha256 } from './numbers';
import { drawRaffle, type RaffleWinner, readRoll, sameWinners } from './raffle';
import { readRecord } from './record';
import { readStrategy } from './strategy';
import { allows, readTree } from './tree';

export interface ExportChecked {
  verdict: 'good' | 'bad' | 'unknown';
  draws: number;
  winners: number;
  sealed: number;
  /** The first line that is not as it should be, and why. */
  line: number;
  why: string;
}

type Lines = AsyncIterable<string> | Iterable<string>;

/** `progress` hears how many draws are done, now and then. */
export async function checkExport(
  lines: Lines,
  progress: (draws: number) => void = () => {},
): Promise<ExportChecked> {
  const check = new ExportCheck(lines, progress);
  try {
    await check.run();
  } catch (error) {
    const known = error instanceof Malformed || error instanceof SyntaxError || error instanceof TypeError;
    if (!known) throw error;
    return check.told(check.begun ? 'bad' : 'unknown', error.message);
  }
  return check.told(check.chains + check.raffles > 0 ? 'good' : 'unknown', '');
}

class ExportCheck {
  begun = false;
  chains = 0;
  raffles = 0;
  private draws = 0;
  private winners = 0;
  private sealed = 0;
  private number = 0;
  private last = { activity: -1n, round: 0, version: 0 };
  private round = new RoundSoFar();
  private readonly lines: AsyncIterator<string> | Iterator<string>;
  private readonly progress: (draws: number) => void;

  constructor(lines: Lines, progress: (draws: number) => void) {
    this.lines = Symbol.asyncIterator in lines ? lines[Symbol.asyncIterator]() : lines[Symbol.iterator]();
    this.progress = progress;
  }

  told(verdict: ExportChecked['verdict'], why: string): ExportChecked {
    const { draws, winners, sealed, number } = this;
    return { verdict, draws, winners, sealed, line: number, why };
  }

  async run(): Promise<void> {
    const [version] = await this.need('windfall-export');
    if (version !== '1') throw new Malformed('not an export of version 1');
    this.begun = true;
    for (;;) {
      const [kind, ...words] = await this.words('published', 'raffle', 'sealed', 'total');
      if (kind === 'published') await this.chain(words);
      else if (kind === 'raffle') await this.raffle(words);
      else if (kind === 'sealed') this.sealed += 1;
      else {
        const counts = [this.chains, this.raffles, this.sealed].join(' ');
        if (words.join(' ') !== counts) throw new Malformed('the totals are not those of the lines before');
        break;
      }
    }
    if ((await this.line()) !== undefined) throw new Malformed('there is something after the last line');
  }

  private async line(): Promise<string | undefined> {
    for (;;) {
      const { value, done } = await this.lines.next();
      if (done) return undefined;
      this.number += 1;
      const line = (value as string).replace(/\r$/, '');
      if (line !== '' && !line.startsWith('#')) return line;
    }
  }

  private async words(...kinds: string[]): Promise<string[]> {
    const line = await this.line();
    if (line === undefined) throw new Malformed('it breaks off before its end');
    const words = line.split(' ');
    if (!kinds.includes(words[0] ?? '')) throw new Malformed('this line does not belong here');
    return words;
  }

  private async need(kind: string): Promise<string[]> {
    return (await this.words(kind)).slice(1);
  }

  private async chain(words: string[]): Promise<void> {
    const [activity, round, version, commitment, strategyHash] = five(words);
    const chain = { activity: BigInt(activity), round: Number(round), version: Number(version) };
    const { last } = this;
    const sameRound = last.activity === chain.activity && last.round === chain.round;
    const ascends = last.round < chain.round || (last.round === chain.round && last.version < chain.version);
    if (last.activity === chain.activity && !ascends)
      throw new Malformed('chains ascend by round and version');
    if (!sameRound) this.round = new RoundSoFar();
    this.last = chain;
    const strategyBytes = await this.hashed((await this.need('strategy'))[0], strategyHash, 'strategy');
    const strategy = readStrategy(strategyBytes);
    if (strategy.version !== chain.version) throw new Malformed('the strategy is of another version');
    let [kind, ...rest] = await this.words('tree', 'secret');
    const tree = kind === 'tree' ? readTree(fromHex(rest[2] ?? '')) : undefined;
    if (tree) [kind, ...rest] = await this.words('secret');
    const key = await keyOf(await this.hashed(rest[0], commitment, 'secret'));
    let link = await firstLink({
      ...chain,
      commitment: fromHex(commitment),
      strategyHash: fromHex(strategyHash),
    });
    for (let place = 1; ; place += 1) {
      const words = await this.words('record', 'end');
      if (words[0] === 'end') {
        if (words[1] !== String(place - 1)) throw new Malformed('the number of records is another');
        break;
      }
      const bytes = fromHex(words[3] ?? '');
      link = await nextLink(link, place, bytes);
      if (words[1] !== String(place) || words[2] !== toHex(link))
        throw new Malformed('the record is not at its place');
      const record = readRecord(bytes);
      if (
        record.activity !== chain.activity ||
        record.round !== chain.round ||
        record.version !== chain.version
      ) {
        throw new Malformed('the record is of another chain');
      }
      if (tree && !allows(tree, record.rulePath)) throw new Malformed('the rule path lets nobody in');
      await this.round.follow(strategy, key, record);
      this.draws += record.draws.length;
      if (place % 500 === 0) this.progress(this.draws);
    }
    this.chains += 1;
    this.progress(this.draws);
  }

  private async raffle(words: string[]): Promise<void> {
    const [activity, round, commitment, rollHash] = five([...words, '']);
    let [roll, secret, beacon] = ['', '', undefined as string | undefined];
    const told: RaffleWinner[] = [];
    let count: string | undefined;
    while (count === undefined) {
      const [kind, first, second, third] = await this.words('roll', 'secret', 'beacon', 'winner', 'end');
      if (kind === 'roll') roll += first ?? '';
      else if (kind === 'secret') secret = first ?? '';
      else if (kind === 'beacon') beacon = first ?? '';
      else if (kind === 'winner')
        told.push({ prize: Number(first), place: Number(second), player: Number(third) });
      else count = first ?? '';
    }
    const rollBytes = await this.hashed(roll, rollHash, 'roll');
    const secretBytes = await this.hashed(secret, commitment, 'secret');
    const head = readRoll(rollBytes);
    if (head.activity !== BigInt(activity) || head.round !== Number(round))
      throw new Malformed('another raffle’s roll');
    const again = await drawRaffle(
      rollBytes,
      secretBytes,
      beacon === undefined ? undefined : fromHex(beacon),
    );
    if (!sameWinners(again, told) || count !== String(again.length)) {
      throw new Malformed('the winners are not those that were drawn');
    }
    this.winners += again.length;
    this.raffles += 1;
  }

  private async hashed(
    word: string | undefined,
    hash: string,
    what: string,
  ): Promise<Uint8Array<ArrayBuffer>> {
    const bytes = fromHex(word ?? '');
    if (!same(await sha256(bytes), fromHex(hash)))
      throw new Malformed(`the ${what} is not the one that was published`);
    return bytes;
  }
}

/** The words of a head line. One that is missing is found by what is made of it. */
function five(words: string[]): [string, string, string, string, string] {
  if (words.length !== 5) throw new Malformed('too many or too few words');
  return words as [string, string, string, string, string];
}

/** The lines of a body as it arrives. */
export async function* linesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  for (;;) {
    const { value, done } = await reader.read();
    rest += done ? decoder.decode() : decoder.decode(value, { stream: true });
    const lines = rest.split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
    if (done) {
      if (rest !== '') yield rest;
      return;
    }
  }
}
