// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { claimReload, reloadWhenBack } from './whenBack';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A world whose server answers when the test says so. */
function world() {
  const here = { back: false, free: true, reloads: 0 };
  return Object.assign(here, {
    answers: async () => here.back,
    claimReload: () => here.free,
    reload: () => {
      here.reloads += 1;
    },
  });
}

it('loads anew once, when the server answers and not before', async () => {
  const here = world();
  reloadWhenBack(here);
  await vi.advanceTimersByTimeAsync(60_000);
  window.dispatchEvent(new Event('online'));
  await vi.advanceTimersByTimeAsync(1);
  expect(here.reloads).toBe(0);
  here.back = true;
  window.dispatchEvent(new Event('online'));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(here.reloads).toBe(1);
});

it('looks by itself too, and stops when nobody waits any more', async () => {
  const waited = world();
  reloadWhenBack(waited);
  waited.back = true;
  await vi.advanceTimersByTimeAsync(5_000);
  expect(waited.reloads).toBe(1);
  const left = world();
  const stop = reloadWhenBack(left);
  stop();
  left.back = true;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(left.reloads).toBe(0);
});

it('does not load anew at once what was just loaded anew and did not come, but later', async () => {
  const again = world();
  again.free = false;
  again.back = true;
  reloadWhenBack(again);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(again.reloads).toBe(0);
  again.free = true;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(again.reloads).toBe(1);
});

it('claims an address once in a minute, and each address for itself', () => {
  const kept = new Map<string, string>();
  const store = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  };
  const claims = [
    ['/shop', 0],
    ['/shop', 3_000],
    ['/shop', 59_999],
    ['/shop', 60_000],
    ['/me', 60_001],
    ['/shop', 60_002],
  ] as const;
  const allowed = claims.map(([address, at]) => claimReload(store, address, at));
  expect(allowed).toEqual([true, false, false, true, true, true]);
});
