import { describe, expect, it } from 'vitest';
import { csvText } from '../parts/csv';
import { byHour, depletion, firstScale, perSecond, planned, remember, sumSince } from './curves';
import { fromWall, toWall } from './zone';

describe('wall clocks', () => {
  it.each([
    ['2026-11-15T08:00', 'Asia/Shanghai', '2026-11-15T00:00:00Z'],
    ['2026-11-15T08:00:07', 'UTC', '2026-11-15T08:00:07Z'],
    ['2026-07-01T12:00', 'America/New_York', '2026-07-01T16:00:00Z'],
    // The hour that comes twice: the first of them.
    ['2026-11-01T01:30', 'America/New_York', '2026-11-01T05:30:00Z'],
  ])('%s in %s is %s', (wall, zone, moment) => {
    expect(fromWall(wall, zone)).toBe(Date.parse(moment));
    expect(toWall(Date.parse(moment), zone)).toBe(wall);
  });

  it('goes on after an hour that is left out', () => {
    const ms = fromWall('2026-03-08T02:30', 'America/New_York') ?? 0;
    expect(toWall(ms, 'America/New_York')).toBe('2026-03-08T03:30');
  });

  it('takes nothing for a moment that is none', () => {
    expect(fromWall('', 'UTC')).toBeUndefined();
    expect(fromWall('soon', 'UTC')).toBeUndefined();
  });
});

describe('figures over time', () => {
  const hour = (from_ms: number, prize: number | null, draws: number) => ({
    from_ms,
    prize,
    draws,
    cost_minor: 10 * draws,
    points: 0,
  });
  const H = 3_600_000;
  const hours = [hour(0, 1, 3), hour(0, null, 9), hour(H, 1, 2), hour(H, 2, 4)];

  it('tells what was left of a prize', () => {
    expect(depletion(hours, 1, 10, 0, 3 * H)).toEqual([
      [0, 10],
      [H, 7],
      [2 * H, 5],
      [3 * H, 5],
    ]);
  });

  it('tells what was meant to be left', () => {
    expect(planned({ fromMs: 0, untilMs: 9, total: 8 })).toEqual([
      [0, 8],
      [9, 0],
    ]);
    const release = [
      { at: 0, units: 3 },
      { at: 5, units: 8 },
    ];
    expect(planned({ fromMs: 0, untilMs: 9, total: 8, release })).toEqual([
      [0, 8],
      [5, 5],
      [9, 0],
    ]);
  });

  it('adds up hours', () => {
    expect(byHour(hours)).toEqual([
      { at: 0, draws: 12, wins: 3, cost: 120 },
      { at: H, draws: 6, wins: 6, cost: 60 },
    ]);
  });

  it('tells how fast it goes', () => {
    let seen = remember([], { at: 0, count: 10 }, 5000);
    expect(perSecond(seen)).toBe(0);
    seen = remember(seen, { at: 2000, count: 30 }, 5000);
    expect(perSecond(seen)).toBe(10);
    seen = remember(seen, { at: 6000, count: 30 }, 5000);
    expect(perSecond(seen)).toBe(0);
  });

  it('sums what happened since a moment', () => {
    const hours = [hour(0, 1, 5), hour(3_600_000, 1, 2), hour(3_600_000, null, 3), hour(7_200_000, 2, 1)];
    expect(sumSince(hours, 3_600_000)).toMatchObject({ draws: 6, wins: 3 });
    expect(sumSince(hours, 9_000_000)).toEqual({ draws: 0, wins: 0, cost: 0 });
  });

  it.each([
    ['nothing happened yet', [], 0, 'hour'],
    ['it began a minute ago', [{ from_ms: 0 }], 60_000, 'minute'],
    ['its first hours are over', [{ from_ms: 0 }], 6 * 3_600_000, 'hour'],
  ])('goes by the minute only in the first hours: %s', (_, minutes, now, scale) => {
    expect(firstScale(minutes, now)).toBe(scale);
  });
});

describe('tables as CSV', () => {
  it('quotes what has to be, and lets no spreadsheet run anything', () => {
    const rows = [
      ['name', 'n'],
      ['a "b", c', '-3'],
      ['=1+1', '+86'],
      ['-cmd', '@x'],
    ];
    expect(csvText(rows)).toBe('name,n\r\n"a ""b"", c",-3\r\n\'=1+1,\'+86\r\n\'-cmd,\'@x\r\n');
  });
});
