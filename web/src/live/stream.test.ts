import { expect, it } from 'vitest';
import { follow, pauseBefore, type Source, type StreamState } from './stream';

/** A world in which streams open and break when the test says so. */
function world() {
  const opened: Array<{ url: string; closed: boolean; tell(kind: string, data?: string): void }> = [];
  const waiting: Array<() => void> = [];
  return {
    opened,
    waiting,
    open(url: string): Source {
      const listeners = new Map<string, (event: { data?: string }) => void>();
      const one = {
        url,
        closed: false,
        tell: (kind: string, data?: string) => listeners.get(kind)?.(data === undefined ? {} : { data }),
      };
      opened.push(one);
      return {
        addEventListener: (kind, listener) => listeners.set(kind, listener),
        close: () => {
          one.closed = true;
        },
      };
    },
    after(_: number, then: () => void) {
      waiting.push(then);
      return () => {
        waiting.length = 0;
      };
    },
  };
}

it('a stream that breaks is opened again, for as long as somebody follows', () => {
  const here = world();
  const heard: number[] = [];
  const states: StreamState[] = [];
  const stop = follow<number>(
    '/live',
    'n',
    (n) => heard.push(n),
    (state) => states.push(state),
    here,
  );
  here.opened[0]?.tell('n', '1');
  here.opened[0]?.tell('error');
  expect(here.opened[0]?.closed).toBe(true);
  expect(states.at(-1)).toBe('waiting');
  here.waiting.pop()?.();
  here.opened[1]?.tell('n', '2');
  expect(heard).toEqual([1, 2]);
  here.opened[1]?.tell('error');
  stop();
  expect(here.waiting).toEqual([]);
  expect(here.opened).toHaveLength(2);
  expect(here.opened[1]?.closed).toBe(true);
});

it('waits longer each time, half a minute at most, and not all at once', () => {
  expect(pauseBefore(0, 0.5)).toBe(1000);
  expect(pauseBefore(3, 0.5)).toBe(8000);
  expect(pauseBefore(50, 0.5)).toBe(30_000);
  expect(pauseBefore(0, 0)).toBeLessThan(pauseBefore(0, 1));
});
