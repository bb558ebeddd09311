// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, renderHook } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type ListPage, usePolledList, withHead } from './polled';

const keyOf = (row: string) => row.slice(0, 1);
const page = (rows: string, next: string | null = null): ListPage<string> => ({
  items: rows.split(' '),
  next,
});

it('a newer head takes the place of what stood above its last row', () => {
  const loaded = { pages: [page('a b c', '3'), page('d e f', '6')], pageParams: ['', '3'] };
  for (const [what, head, rows, next] of [
    ['nothing new', page('a b c', '3'), 'a b c d e f', '6'],
    ['one came', page('n a b', '3'), 'n a b c d e f', '6'],
    ['one changed', page('a b! c', '3'), 'a b! c d e f', '6'],
    ['one went', page('a c d', '4'), 'a c d e f', '6'],
    ['more came than a page holds', page('x y z', '3'), 'x y z', '3'],
    ['the rest went', page('a b'), 'a b', null],
    ['everything went', { items: [], next: null }, '', null],
  ] as const) {
    const { pages } = withHead(loaded, head as ListPage<string>, keyOf);
    expect(pages.flatMap(({ items }) => items).join(' '), what).toBe(rows);
    expect(pages.at(-1)?.next ?? null, what).toBe(next);
  }
});

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

it('a list of several pages asks for its head only', async () => {
  const asked: string[] = [];
  const fetch = async ({ pageParam }: { pageParam: string }) => {
    asked.push(pageParam);
    if (pageParam === '') return page(asked.length > 2 ? 'n a b' : 'a b c', '3');
    return page('d e f');
  };
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  );
  const list = {
    queryKey: ['list'],
    fetch,
    keyOf,
    pace: (rows: readonly string[]) => (rows.length > 3 ? 1000 : (false as const)),
  };
  const { result } = renderHook(() => usePolledList(list), { wrapper });
  await act(() => vi.advanceTimersByTimeAsync(0));
  await act(() => result.current.query.fetchNextPage());
  await act(() => vi.advanceTimersByTimeAsync(10));
  expect(result.current.rows.join(' ')).toBe('a b c d e f');
  expect(asked).toEqual(['', '3']);
  await act(() => vi.advanceTimersByTimeAsync(1000));
  expect(asked).toEqual(['', '3', '']);
  expect(result.current.rows.join(' ')).toBe('n a b c d e f');
});
