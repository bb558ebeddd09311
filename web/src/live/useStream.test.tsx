// @vitest-environment happy-dom
import { act, cleanup, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { shapeAnswers } from '../api/client';
import { useStream } from './useStream';

/** The browser's streams, as the test tells them. */
class Stream {
  static all: Stream[] = [];
  closed = false;
  private listeners = new Map<string, (event: { data?: string }) => void>();
  constructor(readonly url: string) {
    Stream.all.push(this);
  }
  addEventListener(kind: string, listener: (event: { data?: string }) => void) {
    this.listeners.set(kind, listener);
  }
  close() {
    this.closed = true;
  }
  tell(kind: string, data?: string) {
    act(() => this.listeners.get(kind)?.({ ...(data === undefined ? {} : { data }) }));
  }
}

function hide(hidden: boolean) {
  vi.spyOn(document, 'hidden', 'get').mockReturnValue(hidden);
  act(() => void document.dispatchEvent(new Event('visibilitychange')));
}

const open = () => Stream.all.filter(({ closed }) => !closed).map(({ url }) => url);

beforeEach(() => {
  Stream.all = [];
  vi.stubGlobal('EventSource', Stream);
});

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

it('tells the latest while it is looked at, and holds nothing open behind a hidden tab', () => {
  const { result, unmount } = renderHook(() => useStream<number>('/live', 'n'));
  Stream.all[0]?.tell('open');
  Stream.all[0]?.tell('n', '7');
  expect(result.current).toEqual({ value: 7, state: 'live' });
  hide(true);
  expect(open()).toEqual([]);
  hide(false);
  expect(open()).toEqual(['/live']);
  expect(result.current.value).toBe(7);
  unmount();
  expect(open()).toEqual([]);
});

it('what was told of something else is not told of this', () => {
  const { result, rerender } = renderHook(({ url }) => useStream<number>(url, 'n'), {
    initialProps: { url: '/a' },
  });
  Stream.all[0]?.tell('n', '7');
  rerender({ url: '/b' });
  expect(result.current.value).toBeUndefined();
  expect(open()).toEqual(['/b']);
});

it('nothing is opened where nothing is wanted, and a connection that is back is used at once', () => {
  const { rerender } = renderHook(({ wanted }) => useStream<number>('/live', 'n', wanted), {
    initialProps: { wanted: false },
  });
  expect(open()).toEqual([]);
  rerender({ wanted: true });
  act(() => void window.dispatchEvent(new Event('online')));
  expect(open()).toEqual(['/live']);
  expect(Stream.all).toHaveLength(2);
});

it('shapes what comes by a stream like every other answer', () => {
  shapeAnswers((answer) => JSON.parse(JSON.stringify(answer).replace('灯笼', 'lantern')));
  const { result } = renderHook(() => useStream<{ name: string }>('/winners', 'winners'));
  Stream.all[0]?.tell('winners', '{"name":"灯笼"}');
  expect(result.current.value).toEqual({ name: 'lantern' });
  shapeAnswers((answer) => answer);
});
