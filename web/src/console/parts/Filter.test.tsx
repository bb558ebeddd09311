// @vitest-environment happy-dom
import { act, cleanup, render } from '@testing-library/react';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { afterEach, expect, it } from 'vitest';
import { queryOf, useFilters } from './Filter';

afterEach(cleanup);

it('filters live in the address, and leave the history as it is', async () => {
  let filters: ReturnType<typeof useFilters> | undefined;
  function Table() {
    filters = useFilters();
    return null;
  }
  const router = createMemoryRouter([{ path: '/table', element: <Table /> }], {
    initialEntries: ['/table?state=paid'],
  });
  render(<RouterProvider router={router} />);
  expect(filters?.[0]('state')).toBe('paid');
  expect(filters?.[0]('user')).toBe('');
  await act(async () => filters?.[1]('user', '7'));
  expect(router.state.location.search).toBe('?state=paid&user=7');
  expect(router.state.historyAction).toBe('REPLACE');
  await act(async () => filters?.[1]('state', ''));
  expect(router.state.location.search).toBe('?user=7');
});

it('only what is set is asked for', () => {
  const set: Record<string, string> = { state: 'paid', user: '' };
  expect(queryOf((name) => set[name] ?? '', ['state', 'user'])).toEqual({ state: 'paid' });
});
