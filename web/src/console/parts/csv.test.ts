import { expect, it } from 'vitest';
import { allRows, csvText } from './csv';

/** A listing of so many rows, in pages. */
function listing(count: number, limit: number) {
  return async (after: string | undefined) => {
    const from = Number(after ?? 0);
    const items = Array.from({ length: Math.min(limit, count - from) }, (_, at) => from + at);
    const next = from + items.length < count ? String(from + items.length) : null;
    return { items, next };
  };
}

it('goes on to the last row, however many pages there are', async () => {
  for (const [count, max, rows, cut] of [
    [0, 100, 0, false],
    [1, 100, 1, false],
    [10_400, 100_000, 10_400, false],
    [100, 100, 100, false],
    [101, 100, 100, true],
    [150, 100, 100, true],
  ] as const) {
    let last = 0;
    const told = await allRows(listing(count, 50), max, (soFar) => {
      last = soFar;
    });
    expect([told.rows.length, told.cut, last], `${count} of ${max}`).toEqual([rows, cut, rows]);
    expect(told.rows).toEqual(Array.from({ length: rows }, (_, at) => at));
  }
});

it('a cursor that does not move ends it', async () => {
  let asked = 0;
  const stuck = async () => {
    asked += 1;
    return { items: [1], next: 'same' };
  };
  expect((await allRows(stuck, 1000, () => {})).rows).toEqual([1, 1]);
  expect(asked).toBe(2);
});

it('cells are texts and never formulas', () => {
  expect(csvText([['=1+2', 'a,b', '-3', 'say "hi"']])).toBe(`'=1+2,"a,b",-3,"say ""hi"""\r\n`);
});
