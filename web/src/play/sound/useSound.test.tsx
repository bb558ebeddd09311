// @vitest-environment happy-dom
import { act, renderHook } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';

const struck: string[] = [];

class Node {
  gain = { setValueAtTime() {}, linearRampToValueAtTime() {}, exponentialRampToValueAtTime() {} };
  connect(to: unknown) {
    return to;
  }
  start() {
    struck.push('tone');
  }
  stop() {}
}

beforeEach(() => {
  struck.length = 0;
  localStorage.clear();
  vi.resetModules();
  vi.stubGlobal('OscillatorNode', Node);
  vi.stubGlobal('GainNode', Node);
  vi.stubGlobal(
    'AudioContext',
    class {
      state = 'running';
      currentTime = 0;
      destination = {};
    },
  );
});

/** The page as it is after it was loaded anew. */
const loaded = async () => {
  vi.resetModules();
  return import('./useSound');
};

it('sounds until it is switched off, which is remembered', async () => {
  const first = await loaded();
  const here = renderHook(() => first.useSound());
  here.result.current.sound('grand');
  expect(struck.length).toBeGreaterThan(5);
  act(() => first.setMuted(true));
  expect(here.result.current.muted).toBe(true);
  struck.length = 0;
  here.result.current.sound('grand');
  expect(struck).toEqual([]);
  const second = await loaded();
  const again = renderHook(() => second.useSound());
  expect(again.result.current.muted).toBe(true);
  again.result.current.sound('small');
  expect(struck).toEqual([]);
  act(() => second.setMuted(false));
  again.result.current.sound('small');
  expect(struck.length).toBe(3);
});
