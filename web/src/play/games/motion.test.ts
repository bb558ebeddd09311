import { describe, expect, it } from 'vitest';
import {
  landing,
  litCell,
  modulo,
  PULL_MS,
  passedEdge,
  positionAt,
  reelStops,
  restingAngle,
  START_MS,
  slotUnderPointer,
  startingDistance,
} from './motion';

describe('the wheel', () => {
  it('stops with the pointer on the slot that the server named, whatever the wheel', () => {
    for (let slots = 1; slots <= 40; slots += 1) {
      for (let slot = 0; slot < slots; slot += 1) {
        for (const jitter of [-1, -0.5, 0, 0.3, 1]) {
          const rest = restingAngle(slot, slots, jitter);
          for (const from of [0, 12.3, 359.9, 4711.7]) {
            const way = landing(from, 0.6, rest, 360, 3);
            const stopped = positionAt(way, way.durationMs);
            expect(slotUnderPointer(stopped, slots), `${slot} of ${slots}, from ${from}`).toBe(slot);
          }
        }
      }
    }
  });

  it('slows down from the speed it had, never back, and stops in time', () => {
    const way = landing(100, 0.7, 42, 360, 4);
    const step = 1;
    const first = positionAt(way, step) - positionAt(way, 0);
    expect(first / step).toBeCloseTo(0.7, 2);
    let before = way.from;
    for (let at = 0; at <= way.durationMs + 50; at += 16) {
      const now = positionAt(way, at);
      expect(now).toBeGreaterThanOrEqual(before);
      before = now;
    }
    expect(modulo(before, 360)).toBeCloseTo(42, 9);
    expect(way.distance).toBeGreaterThanOrEqual(4 * 360);
  });
});

describe('the start', () => {
  it('draws back by as much as is said, lets go, and reaches full speed without a jump', () => {
    for (const [speed, pull] of [
      [0.62, 9],
      [0.017, 0],
      [0.016, 0.3],
    ] as const) {
      const at = (ms: number) => startingDistance(ms, speed, pull);
      expect(at(0)).toBeCloseTo(0);
      expect(at(PULL_MS / 2)).toBeCloseTo(-pull);
      expect(at(PULL_MS)).toBeCloseTo(0);
      expect((at(START_MS + 500) - at(START_MS)) / 500).toBeCloseTo(speed, 9);
      // From frame to frame the speed changes by a small part of the full one, whatever happens.
      let before = at(1) - at(0);
      for (let ms = 1; ms < START_MS + 100; ms += 1) {
        const now = at(ms + 1) - at(ms);
        expect(Math.abs(now - before), `after ${ms} ms`).toBeLessThan(speed / 100);
        before = now;
      }
    }
  });

  it('an edge clicks once, forward only', () => {
    const rows: Array<[from: number, to: number, clicks: boolean]> = [
      [19, 21, true],
      [20, 25, false],
      [21, 59, false],
      [59, 61, true],
      [21, 19, false],
      [-25, -15, true],
    ];
    for (const [from, to, clicks] of rows)
      expect(passedEdge(from, to, 40, 20), `${from} to ${to}`).toBe(clicks);
  });
});

it('the light of a grid ends in its cell', () => {
  for (const cells of [8, 12]) {
    for (let slot = 0; slot < cells; slot += 1) {
      const way = landing(3.2, 0.02, slot, cells, 3);
      expect(litCell(positionAt(way, way.durationMs), cells)).toBe(slot);
    }
  }
});

it('three reels are alike for a prize and only then', () => {
  for (let slots = 3; slots <= 12; slots += 1) {
    for (let slot = 0; slot < slots; slot += 1) {
      expect(new Set(reelStops(slot, slots, true)).size).toBe(1);
      const missed = reelStops(slot, slots, false);
      expect(new Set(missed).size).toBe(3);
      expect(missed[1]).toBe(slot);
    }
  }
});
