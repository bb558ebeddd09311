import { beforeEach, expect, it, vi } from 'vitest';
import { Lost, Problem } from '../api/problem';
import type { DrawResponse, ProblemCode } from '../api/wire';
import { type DrawWorld, drawOnce, drawSeen, type Pending, pendingDraw, unseenDraw } from './draw';

const told = { ticket: '5', receipt: null, draws: [] } as unknown as DrawResponse;
const problem = (code: ProblemCode, status: number) =>
  new Problem({ title: code, status, code, request_id: null });
const who = { activity: '7', user: '42' };

beforeEach(() => {
  const kept = new Map<string, string>();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
    removeItem: (key: string) => kept.delete(key),
  });
});

/** A server with its answers ready. */
function world(...answers: Array<DrawResponse | Error>) {
  const sent: Pending[] = [];
  const draws: DrawWorld = {
    draw(_, asked) {
      sent.push(asked);
      const answer = answers.shift() ?? told;
      return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
    },
  };
  const go = (first = false, user = who.user) =>
    drawOnce({ ...who, user }, 1, first, () => {}, draws).catch((error: unknown) => error);
  return { sent, go };
}

it('hole 73: pressed again after any answer that is not final, the same draw is asked for', async () => {
  for (const [answer, same] of [
    [new Lost('gone'), true],
    [problem('outcome_unknown', 503), true],
    [problem('overloaded', 503), true],
    [problem('ledger_unavailable', 503), true],
    [problem('timed_out', 504), true],
    [problem('internal', 500), true],
    [problem('rate_limited', 429), true],
    [problem('unauthenticated', 401), true],
    [problem('chances_spent', 409), false],
    [problem('not_eligible', 403), false],
    [problem('paused', 409), false],
  ] as const) {
    const here = world(answer);
    await here.go();
    expect(pendingDraw(who) !== undefined, answer.message).toBe(same);
    expect(await here.go()).toBe(told);
    expect(here.sent[0]?.id === here.sent[1]?.id, answer.message).toBe(same);
    expect(pendingDraw(who)).toBeUndefined();
  }
});

it('a share of the luck that is fixed already is left out for good, also after a reload', async () => {
  const here = world(problem('client_value_fixed', 409), new Lost('gone'));
  await here.go(true);
  expect(pendingDraw(who)).toMatchObject({ id: here.sent[0]?.id });
  await here.go(true);
  expect(here.sent.map(({ clientValue }) => clientValue !== undefined)).toEqual([true, false, false]);
  expect(new Set(here.sent.map(({ id }) => id)).size).toBe(1);
});

it('what one player has begun is not finished by another', async () => {
  const here = world(new Lost('gone'));
  await here.go();
  await here.go(false, '43');
  expect(here.sent[0]?.id).not.toBe(here.sent[1]?.id);
  expect(pendingDraw(who)?.id).toBe(here.sent[0]?.id);
});

it('what came of a draw is kept until its player has seen it, and shown once', async () => {
  const answer = { ...told, ticket: '9' };
  const here = world(answer, answer);
  await here.go();
  expect(unseenDraw(who)).toEqual(answer);
  expect(unseenDraw({ ...who, user: '43' })).toBeUndefined();
  drawSeen(who, answer);
  expect(unseenDraw(who)).toBeUndefined();
  // Another part of the page had asked for the same draw, and hears of it later.
  await here.go();
  expect(unseenDraw(who)).toBeUndefined();
});

it('a press of the day before yesterday draws nothing today', async () => {
  const here = world(new Lost('gone'));
  vi.useFakeTimers();
  try {
    await here.go();
    expect(pendingDraw(who)).toBeDefined();
    vi.advanceTimersByTime(2 * 24 * 3_600_000);
    expect(pendingDraw(who)).toBeUndefined();
  } finally {
    vi.useRealTimers();
  }
});
