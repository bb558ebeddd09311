// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query';
import { act, cleanup, renderHook, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, expect, it, vi } from 'vitest';
import { useOptimistic } from './optimistic';

afterEach(cleanup);

/** A server with one list, whose answers come when the test says so. */
function page(answer: (n: number) => Promise<unknown>) {
  const server = { list: [1] };
  const reads = vi.fn(async () => [...server.list]);
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  );
  const { result } = renderHook(
    () => ({
      shown: useQuery({ queryKey: ['list'], queryFn: reads }).data,
      add: useOptimistic<number[], number>({
        queryKey: ['list'],
        send: (n) => answer(n).then(() => void server.list.push(n, 9)),
        apply: (list, n) => [...list, n],
      }),
    }),
    { wrapper },
  );
  return { result, reads };
}

it('is shown at once, and then as the server has it', async () => {
  let grant = () => {};
  const { result } = page(() => new Promise<void>((done) => (grant = done)));
  await waitFor(() => expect(result.current.shown).toEqual([1]));
  act(() => result.current.add.mutate(2));
  await waitFor(() => expect(result.current.shown).toEqual([1, 2]));
  expect(result.current.add.isPending).toBe(true);
  await act(async () => grant());
  await waitFor(() => expect(result.current.shown).toEqual([1, 2, 9]));
});

it('is put back when the server says no, and the reason is there', async () => {
  let refuse = (_: Error) => {};
  const { result, reads } = page(() => new Promise((_, fail) => (refuse = fail)));
  await waitFor(() => expect(result.current.shown).toEqual([1]));
  act(() => result.current.add.mutate(2));
  await waitFor(() => expect(result.current.shown).toEqual([1, 2]));
  await act(async () => refuse(new Error('no')));
  await waitFor(() => expect(result.current.shown).toEqual([1]));
  expect(result.current.add.error?.message).toBe('no');
  await waitFor(() => expect(reads).toHaveBeenCalledTimes(2));
});

it('a read that was under way does not show the old state over it', async () => {
  const { result, reads } = page(() => new Promise(() => {}));
  await waitFor(() => expect(result.current.shown).toEqual([1]));
  act(() => result.current.add.mutate(2));
  await waitFor(() => expect(result.current.shown).toEqual([1, 2]));
  expect(reads).toHaveBeenCalledTimes(1);
});

/** Two lists that show the same count, and an act whose answer says what it is now. */
function everywhere(answer: () => Promise<number>) {
  const server = { count: 1 };
  const reads = vi.fn(async () => server.count);
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  );
  const { result } = renderHook(
    () => ({
      first: useQuery({ queryKey: ['counts', 'first'], queryFn: reads }).data,
      second: useQuery({ queryKey: ['counts', 'second'], queryFn: reads }).data,
      other: useQuery({ queryKey: ['other'], queryFn: reads }).data,
      add: useOptimistic<number, number, number>({
        queryKey: ['counts'],
        everywhere: true,
        send: answer,
        apply: (count, by) => count + by,
        settle: (_, count) => count,
      }),
    }),
    { wrapper },
  );
  const shown = () => [result.current.first, result.current.second, result.current.other];
  return { result, reads, shown };
}

it('is shown in every read of a kind, then as the answer says, and nothing is read again', async () => {
  let grant = (_: number) => {};
  const { result, reads, shown } = everywhere(() => new Promise((done) => (grant = done)));
  await waitFor(() => expect(shown()).toEqual([1, 1, 1]));
  act(() => result.current.add.mutate(1));
  await waitFor(() => expect(shown()).toEqual([2, 2, 1]));
  await act(async () => grant(7));
  await waitFor(() => expect(shown()).toEqual([7, 7, 1]));
  expect(reads).toHaveBeenCalledTimes(3);
});

it('is put back in every read when the server says no, and those are read again', async () => {
  let refuse = (_: Error) => {};
  const { result, reads, shown } = everywhere(() => new Promise((_, fail) => (refuse = fail)));
  await waitFor(() => expect(shown()).toEqual([1, 1, 1]));
  act(() => result.current.add.mutate(1));
  await waitFor(() => expect(shown()).toEqual([2, 2, 1]));
  await act(async () => refuse(new Error('no')));
  await waitFor(() => expect(shown()).toEqual([1, 1, 1]));
  await waitFor(() => expect(reads).toHaveBeenCalledTimes(5));
});
