import { beforeEach, expect, it, vi } from 'vitest';
import { Lost, Problem } from '../../api/problem';
import type { AttemptBody, ProblemBody, ProblemCode } from '../../api/wire';
import {
  type AttemptWorld,
  attempt,
  type Pending,
  pendingAttempt,
  type Queued,
  type TokenLine,
} from './attempt';

const queued: AttemptBody = { id: '7', state: 'queued', code: '0', waiting: 40, ask_again_ms: 700 };
const ordered: AttemptBody = { id: '7', state: 'ordered', code: '7', order: '7' };
const problem = (code: ProblemCode): ProblemBody => ({
  type: '',
  title: code,
  status: 409,
  code,
  request_id: 'r',
});
const refused: AttemptBody = { id: '7', state: 'refused', code: '-1', problem: problem('sold_out') };
const refusal = (code: ProblemCode, status = 409) => new Problem({ ...problem(code), status });

beforeEach(() => {
  const kept = new Map<string, string>();
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
    removeItem: (key: string) => kept.delete(key),
  });
});

/** A server with its answers ready. */
function world(sends: Array<AttemptBody | Error>, looks: Array<AttemptBody | Error> = []) {
  const next = (from: Array<AttemptBody | Error>) => {
    const answer = from.shift() ?? new Error('asked too often');
    return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
  };
  const here = {
    sent: [] as Pending[],
    looked: [] as string[],
    paused: [] as number[],
    told: [] as Queued[],
  };
  const attemptWorld: AttemptWorld = {
    send(pending) {
      here.sent.push(pending);
      return next(sends);
    },
    look(id) {
      here.looked.push(id);
      return next(looks);
    },
    pause(ms) {
      here.paused.push(ms);
      return Promise.resolve();
    },
  };
  const go = (begin?: TokenLine[]) =>
    attempt(
      's',
      begin,
      (state) => here.told.push(state),
      () => false,
      attemptWorld,
    );
  return { ...here, go };
}

const begin: TokenLine[] = [{ sale: 's', quantity: 2, token: 'wft_1', price_minor: 1990 }];

it('is waited for as the server asks, and ends with the order', async () => {
  const here = world([queued], [queued, ordered]);
  expect(await here.go(begin)).toBe('7');
  expect(here.paused).toEqual([700]);
  expect(here.told).toEqual([
    { waiting: 40, lost: false },
    { waiting: 40, lost: false },
  ]);
  expect(pendingAttempt('s')).toBeUndefined();
});

it('ends with the server’s reason, and leaves nothing open', async () => {
  const here = world([queued], [refused]);
  await expect(here.go(begin)).rejects.toMatchObject({ code: 'sold_out', requestId: 'r' });
  expect(pendingAttempt('s')).toBeUndefined();
});

it('refused at once is no attempt', async () => {
  const here = world([refusal('attempt_under_way')]);
  await expect(here.go(begin)).rejects.toMatchObject({ code: 'attempt_under_way' });
  expect(here.looked).toEqual([]);
  expect(pendingAttempt('s')).toBeUndefined();
});

it('a lost connection is waited out, and the page knows', async () => {
  const here = world([queued], [new Lost('gone'), refusal('overloaded'), ordered]);
  expect(await here.go(begin)).toBe('7');
  expect(here.told.map(({ lost }) => lost)).toEqual([false, true, true]);
  expect(here.paused).toEqual([1000, 2000]);
});

it('an answer that never came is asked for again under the same key, after a reload too', async () => {
  const first = world([new Lost('gone')]);
  await expect(first.go(begin)).rejects.toBeInstanceOf(Lost);
  const kept = pendingAttempt('s');
  expect(kept?.lines).toEqual(begin);
  const second = world([queued], [ordered]);
  expect(await second.go()).toBe('7');
  expect(second.sent.map(({ key }) => key)).toEqual([kept?.key]);
});

it('an attempt that was taken in is asked for by its id after a reload', async () => {
  const first = world([queued], [refusal('internal', 500)]);
  await expect(first.go(begin)).rejects.toMatchObject({ code: 'internal' });
  expect(pendingAttempt('s')).toMatchObject({ id: '7' });
  const second = world([], [queued, ordered]);
  expect(await second.go()).toBe('7');
  expect(second.sent).toEqual([]);
  expect(second.looked).toEqual(['7', '7']);
});
