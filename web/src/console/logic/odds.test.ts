import { describe, expect, it } from 'vitest';
import { apportion, left, parseOdds, percent, rescale, type Slice, setLeft, setSlice, taken } from './odds';

const slices = (text: string): Slice[] =>
  text.split(' ').map((one) => ({ odds: Number(one.replace('!', '')), locked: one.endsWith('!') }));
const shown = (given: readonly Slice[]) =>
  given.map(({ odds, locked }) => `${odds}${locked ? '!' : ''}`).join(' ');

describe('the odds editor always adds up', () => {
  it.each([
    ['10 20 30', 0, 40, '40 20 30', 10],
    ['10 20 30', 0, 90, '50 20 30', 0],
    ['10 20 30', 2, -5, '10 20 0', 70],
    ['10! 20 30', 0, 15, '15! 20 30', 35],
    ['50 50', 1, 51, '50 50', 0],
  ])('%s: slice %i set to %i is %s, and %i is no prize', (before, at, wanted, after, over) => {
    const set = setSlice(slices(before), 100, at, wanted);
    expect(shown(set)).toBe(after);
    expect(left(set, 100)).toBe(over);
  });

  it.each([
    ['10 20 30', 70, '5 10 15'],
    ['10 20 30', 0, '17 33 50'],
    ['10! 20 30', 50, '10! 16 24'],
    ['10! 20 30', 99, '10! 0 0'],
    ['60! 20 20', 100, '60! 0 0'],
    ['0 0 0', 0, '34 33 33'],
    ['40! 60!', 50, '40! 60!'],
  ])('%s with no prize at %i is %s', (before, wanted, after) => {
    expect(shown(setLeft(slices(before), 100, wanted))).toBe(after);
  });

  it('holds for any step on any table', () => {
    let seed = 7;
    const dice = (sides: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return seed % sides;
    };
    for (let round = 0; round < 2000; round += 1) {
      const whole = 1 + dice(1_000_000);
      let table: Slice[] = [{ odds: 0, locked: false }];
      for (let prize = 0; prize < dice(9); prize += 1)
        table = setSlice([...table, { odds: 0, locked: dice(3) === 0 }], whole, table.length, dice(whole));
      for (let step = 0; step < 5; step += 1) {
        const before = table;
        table =
          dice(2) === 0
            ? setSlice(table, whole, dice(table.length), dice(2 * whole) - whole)
            : setLeft(table, whole, dice(whole + 1));
        expect(taken(table) + left(table, whole)).toBe(whole);
        expect(left(table, whole)).toBeGreaterThanOrEqual(0);
        expect(table.every(({ odds }) => Number.isInteger(odds) && odds >= 0)).toBe(true);
        expect(table.map(({ locked }) => locked)).toEqual(before.map(({ locked }) => locked));
      }
    }
  });

  it.each([
    ['20 200 2000', 1_000_000, 10_000, '0 2 20'],
    ['5 50', 100, 1_000_000, '50000 500000'],
    ['1 1 1', 3, 100, '34 33 33'],
  ])('%s of %i are, of %i, %s', (before, from, to, after) => {
    expect(shown(rescale(slices(before), from, to))).toBe(after);
  });

  it('splits without losing or making any', () => {
    expect(apportion(10, [1, 1, 1])).toEqual([4, 3, 3]);
    expect(apportion(0, [3, 4])).toEqual([0, 0]);
    expect(apportion(7, [])).toEqual([]);
    expect(apportion(9_007_199_254_740_991, [1, 2]).reduce((a, b) => a + b)).toBe(9_007_199_254_740_991);
  });
});

describe('odds in words', () => {
  it.each([
    [20, 1_000_000, '0.002'],
    [1, 3, '33.33333333'],
    [10_000, 10_000, '100'],
    [0, 100, '0'],
    [597_780, 1_000_000, '59.778'],
    [1, 1_000_000_000, '0.0000001'],
  ])('%i of %i is %s %%', (odds, whole, text) => {
    expect(percent(odds, whole)).toBe(text);
  });

  it.each([
    ['250', 250],
    ['1,000', 1000],
    ['2.5%', 25_000],
    ['２', undefined],
    ['0.002 %', 20],
    ['1/40', 25_000],
    ['1/0', undefined],
    ['-3', undefined],
    ['', undefined],
  ])('"%s" is %s parts of a million', (text, parts) => {
    expect(parseOdds(text, 1_000_000)).toBe(parts);
  });
});
