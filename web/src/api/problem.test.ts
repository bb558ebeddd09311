import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { isFinalRefusal, Lost, Problem } from './problem';
import { problemCodeValues } from './schema.gen';
import type { ProblemCode } from './wire';

it('what is wrong is told without the name that the API has for the field', () => {
  for (const [field, title, plain, called] of [
    [
      'phone',
      'phone: is too long (at most 20).',
      'Is too long (at most 20).',
      'Phone: is too long (at most 20).',
    ],
    ['phone', 'phone：太长。', '太长。', 'Phone：太长。'],
    ['phone', 'Somebody has this phone.', 'Somebody has this phone.', 'Phone: Somebody has this phone.'],
  ] as const) {
    const problem = new Problem({ title, field, status: 422, code: 'invalid_field', request_id: null });
    expect(problem.plain).toBe(plain);
    expect(problem.called('Phone')).toBe(called);
  }
});

it('a refusal is no fault: its number is of no use to anybody', () => {
  const problem = (status: number) =>
    new Problem({ title: 'no', status, code: 'internal', request_id: 'a1' }).isFault;
  expect([409, 422, 429, 500, 503].map(problem)).toEqual([false, false, false, true, true]);
});

/** The catalogue of docs/api.md, which a test of the server holds complete. */
function catalogue(): Array<{ code: ProblemCode; status: number }> {
  const text = readFileSync(join(import.meta.dirname, '../../../docs/api.md'), 'utf8');
  const rows = [...text.matchAll(/^\| (`[a-z_]+`(?:, `[a-z_]+`)*) \| ([45]\d\d) \|/gm)];
  return rows.flatMap(([, codes = '', status]) =>
    [...codes.matchAll(/[a-z_]+/g)].map(([code]) => ({ code: code as ProblemCode, status: Number(status) })),
  );
}

it('the API document has every code of the catalogue', () => {
  for (const { code } of catalogue()) expect(problemCodeValues).toContain(code);
});

it('hole 73: which problems are final, over the whole catalogue', () => {
  const all = catalogue();
  expect(all.length).toBeGreaterThan(100);
  const open = all.filter(
    ({ code, status }) => !isFinalRefusal(new Problem({ title: code, status, code, request_id: null })),
  );
  for (const { code, status } of all) {
    const about = ['unauthenticated', 'banned'].includes(code);
    const expected = status >= 500 || status === 429 || about;
    expect(
      open.some((one) => one.code === code),
      `${code} ${status}`,
    ).toBe(expected);
  }
  const codes = open.map(({ code }) => code);
  expect(codes).toEqual(
    expect.arrayContaining(['outcome_unknown', 'overloaded', 'timed_out', 'rate_limited', 'internal']),
  );
  expect(isFinalRefusal(new Lost('gone'))).toBe(false);
  expect(isFinalRefusal(new Error('the page itself'))).toBe(false);
  // A page of some proxy: whatever its status, it is no word of ours.
  const strange = new Problem({ title: 'HTTP 403', status: 403, code: 'internal', request_id: null });
  expect(isFinalRefusal(strange)).toBe(false);
});
