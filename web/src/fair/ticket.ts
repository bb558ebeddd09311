// Checks one ticket by its proof, step by step, for the page that shows each step to its player.
//
// What cannot be told yet (the secret is revealed after the last draw) is said to be open, and not counted as good.
import { fromHex, Malformed, same, toHex } from './bytes';
import { firstLink, nextLink } from './chain';
import { type Decided, decide, newsOf, sameDraw, sameNews } from './decide';
import { keyOf, sha256 } from './numbers';
import { type DrawRecord, type Reason, readRecord, type TicketRecord } from './record';
import { readStrategy, type Strategy } from './strategy';

/** The part of `GET …/me/proof/{ticket}` that is looked at. */
export interface Proof {
  player: number;
  record: string;
  receipt: { place: number; link: string };
  before: { place: number; link: string };
  published: { activity: string; round: number; version: number; commitment: string; strategy_hash: string };
  strategy: string;
  secret?: string | null;
}

export type Verdict = 'good' | 'bad' | 'open';

/** What a number of a step is. */
export type FactName =
  | 'record'
  | 'player'
  | 'client_value'
  | 'computed'
  | 'published'
  | 'place'
  | 'before'
  | 'receipt'
  | 'kept'
  | 'commitment'
  | 'secret'
  | 'message'
  | 'value'
  | 'word'
  | 'error';

export interface Step {
  name: 'record' | 'strategy' | 'chain' | 'kept' | 'secret' | 'draw';
  verdict: Verdict;
  /** What was computed and what was expected, to look at. */
  facts: Array<[label: FactName, value: string]>;
  /** For the step `draw`: which, and how it came out. */
  draw?: { n: number; told: DrawRecord; again: Decided | undefined };
}

export interface Checked {
  verdict: Verdict;
  steps: Step[];
  record: TicketRecord | undefined;
  strategy: Strategy | undefined;
}

/** `kept` is the link that this device noted when the ticket was drawn, if it did. */
export async function checkTicket(proof: Proof, kept?: string): Promise<Checked> {
  const steps: Step[] = [];
  let record: TicketRecord;
  let strategy: Strategy;
  try {
    record = readRecord(fromHex(proof.record));
    strategy = readStrategy(fromHex(proof.strategy));
  } catch (error) {
    if (!(error instanceof Malformed)) throw error;
    return {
      verdict: 'bad',
      steps: [{ name: 'record', verdict: 'bad', facts: [['error', error.message]] }],
      record: undefined,
      strategy: undefined,
    };
  }
  steps.push(ofThisActivity(proof, record));
  steps.push(await strategyStep(proof, strategy));
  steps.push(await chainStep(proof));
  if (kept !== undefined) {
    steps.push({
      name: 'kept',
      verdict: kept === proof.receipt.link ? 'good' : 'bad',
      facts: [
        ['kept', kept],
        ['receipt', proof.receipt.link],
      ],
    });
  }
  steps.push(...(await drawSteps(proof, strategy, record)));
  const verdicts = steps.map((step) => step.verdict);
  const verdict = verdicts.includes('bad') ? 'bad' : verdicts.includes('open') ? 'open' : 'good';
  return { verdict, steps, record, strategy };
}

function ofThisActivity({ published, record: bytes, player }: Proof, record: TicketRecord): Step {
  const fits =
    record.activity === BigInt(published.activity) &&
    record.player === player &&
    record.round === published.round &&
    record.version === published.version;
  return {
    name: 'record',
    verdict: fits ? 'good' : 'bad',
    facts: [
      ['record', bytes],
      ['player', String(record.player)],
      ['client_value', toHex(record.clientValue)],
    ],
  };
}

async function strategyStep(proof: Proof, strategy: Strategy): Promise<Step> {
  const hash = toHex(await sha256(fromHex(proof.strategy)));
  const good = hash === proof.published.strategy_hash && strategy.version === proof.published.version;
  return {
    name: 'strategy',
    verdict: good ? 'good' : 'bad',
    facts: [
      ['computed', hash],
      ['published', proof.published.strategy_hash],
    ],
  };
}

async function chainStep({ published, before, receipt, record }: Proof): Promise<Step> {
  const link = toHex(await nextLink(fromHex(before.link), receipt.place, fromHex(record)));
  let good = link === receipt.link && receipt.place === before.place + 1;
  if (before.place === 0) {
    const start = await firstLink({
      activity: BigInt(published.activity),
      round: published.round,
      version: published.version,
      commitment: fromHex(published.commitment),
      strategyHash: fromHex(published.strategy_hash),
    });
    good &&= same(start, fromHex(before.link));
  }
  return {
    name: 'chain',
    verdict: good ? 'good' : 'bad',
    facts: [
      ['place', String(receipt.place)],
      ['before', before.link],
      ['computed', link],
      ['receipt', receipt.link],
    ],
  };
}

async function drawSteps(proof: Proof, strategy: Strategy, record: TicketRecord): Promise<Step[]> {
  const { secret, published } = proof;
  if (!secret) {
    const facts: Step['facts'] = [['commitment', published.commitment]];
    return [{ name: 'secret', verdict: 'open', facts }];
  }
  const hash = toHex(await sha256(fromHex(secret)));
  const steps: Step[] = [
    {
      name: 'secret',
      verdict: hash === published.commitment ? 'good' : 'bad',
      facts: [
        ['secret', secret],
        ['computed', hash],
        ['commitment', published.commitment],
      ],
    },
  ];
  const key = await keyOf(fromHex(secret));
  const counts = { today: record.drawsToday, inAll: record.drawsInAll, misses: record.misses };
  let known = new Map<number, Reason>();
  let n = record.firstN;
  for (const { draw, news } of record.draws) {
    const before = known;
    known = new Map([...known, ...news]);
    let again: Decided | undefined;
    try {
      again = await decide(strategy, key, record, n, counts, known);
    } catch (error) {
      if (!(error instanceof Malformed)) throw error;
    }
    const good =
      again !== undefined && sameDraw(again.draw, draw) && sameNews(newsOf(again.mattered, before), news);
    steps.push({ name: 'draw', verdict: good ? 'good' : 'bad', facts: [], draw: { n, told: draw, again } });
    n += 1;
    counts.today += 1;
    counts.inAll += 1;
    counts.misses = draw.prize === undefined ? counts.misses + 1 : 0;
  }
  return steps;
}
