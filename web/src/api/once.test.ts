import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type IdStore, makeOnce } from './once';
import { Lost, Problem } from './problem';
import type { ProblemCode } from './wire';

const problem = (code: ProblemCode, status: number) =>
  new Problem({ title: code, status, code, request_id: null });
const unknown = () => problem('outcome_unknown', 503);

/** What a server that keeps its answers by id sees of a page. */
function server(...answers: Array<'done' | Error>) {
  const seen: string[] = [];
  const send = async (id: string) => {
    seen.push(id);
    const answer = answers.shift() ?? 'done';
    if (answer instanceof Error) throw answer;
    return answer;
  };
  return { seen, send };
}

function storage(): IdStore {
  const kept = new Map<string, string>();
  return {
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => void kept.set(key, value),
    removeItem: (key) => void kept.delete(key),
  };
}

it('pressed again after an answer that is not final, the same id is sent; after a final one, another', async () => {
  for (const [first, same] of [
    [new Lost('gone'), true],
    [unknown(), true],
    [problem('overloaded', 503), true],
    [problem('internal', 500), true],
    [problem('timed_out', 504), true],
    [problem('rate_limited', 429), true],
    [problem('unauthenticated', 401), true],
    [new Error('the page itself broke'), true],
    [problem('points_short', 409), false],
    [problem('invalid_field', 400), false],
    ['done', false],
  ] as const) {
    const { seen, send } = server(first);
    const once = makeOnce();
    await once({ quantity: 1 }, send).catch(() => {});
    await once({ quantity: 1 }, send);
    expect(seen[0] === seen[1], String(first)).toBe(same);
  }
});

it('another wish has another id', async () => {
  const { seen, send } = server(unknown(), unknown());
  const once = makeOnce();
  await once({ quantity: 1 }, send).catch(() => {});
  await once({ quantity: 2 }, send).catch(() => {});
  expect(seen[0]).not.toBe(seen[1]);
});

it('with a place, the id of what is open survives a reload', async () => {
  const store = storage();
  const { seen, send } = server(unknown());
  await makeOnce('shop.1', () => store)({ quantity: 1 }, send).catch(() => {});
  await makeOnce('shop.1', () => store)({ quantity: 1 }, send);
  await makeOnce('shop.1', () => store)({ quantity: 1 }, send);
  expect(seen[1]).toBe(seen[0]);
  expect(seen[2]).not.toBe(seen[0]);
});

it('a browser that keeps nothing keeps the id as long as the page', async () => {
  const { seen, send } = server(unknown());
  const once = makeOnce('shop.1', () => {
    throw new Error('forbidden');
  });
  await once({ quantity: 1 }, send).catch(() => {});
  await once({ quantity: 1 }, send);
  expect(seen[1]).toBe(seen[0]);
});

it('hole 73: no page makes an id of its own', () => {
  const root = join(import.meta.dirname, '..');
  const makers = (readdirSync(root, { recursive: true }) as string[])
    .filter((name) => /\.tsx?$/.test(name) && !name.endsWith('.test.ts'))
    .filter((name) => /\bfreshId\b|randomUUID\(/.test(readFileSync(join(root, name), 'utf8')));
  // Draws and attempts keep more than an id across a reload, and have tests of their own.
  expect(makers.sort()).toEqual(['api/client.ts', 'api/once.ts', 'play/buy/attempt.ts', 'play/draw.ts']);
});
