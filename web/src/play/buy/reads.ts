// What the pages of sales read, each query with its key.

import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api, ask } from '../../api/client';
import type { PolledList } from '../../api/polled';
import { every } from '../../api/queries';
import type { SaleBody, SaleOrderBody } from '../../api/wire';
import { serverNow } from '../../time/clock';
import { myKeys, saleKeys } from '../keys';

const PAGE = 30;
/** While units move: old enough not to be a burden, young enough to be called live. */
const LIVELY_MS = 4000;
export const QUIET_MS = 30_000;
/** Before the start a page wakes up. */
const SOON_MS = 30_000;

/** Whether units of a sale move, or are about to. */
export function isLively(sale: SaleBody | undefined, now: number): boolean {
  return (
    sale !== undefined && sale.state !== 'closed' && now < sale.until_ms && now >= sale.from_ms - SOON_MS
  );
}

export const saleRead = (id: string) =>
  queryOptions({
    queryKey: saleKeys.one(id),
    queryFn: ({ signal: given }) =>
      ask((signal) => api.GET('/sales/{id}', { signal, params: { path: { id } } }), given),
    staleTime: 1000,
    refetchInterval: (query) => every(isLively(query.state.data, serverNow()) ? LIVELY_MS : QUIET_MS)(query),
  });

export const remindersRead = (signedIn: boolean) =>
  queryOptions({
    queryKey: myKeys.reminders,
    queryFn: ({ signal: given }) =>
      ask((signal) => api.GET('/me/reminders', { signal, params: { query: { limit: 100 } } }), given),
    enabled: signedIn,
  });

/** For so long after the end of an order money may still be under way. */
const STRAGGLER_MS = 120_000;

/** How often an order is looked at: often while something is about to happen to it. */
export function orderPace(order: SaleOrderBody, now: number): number | false {
  if (order.paying || order.state === 'refund_due') return 1500;
  if (order.state === 'unpaid') return 3000;
  if (order.things.some(({ giving }) => giving.state === 'ready')) return 1500;
  const ended = order.state === 'expired' || order.state === 'cancelled';
  return ended && now - order.changed_at_ms < STRAGGLER_MS ? 3000 : false;
}

export const orderRead = (id: string) =>
  queryOptions({
    queryKey: myKeys.order(id),
    queryFn: ({ signal: given }) =>
      ask((signal) => api.GET('/orders/{id}', { signal, params: { path: { id } } }), given),
    staleTime: 500,
    refetchInterval: (query) => {
      const order = query.state.data;
      return every(order ? orderPace(order, serverNow()) : false)(query);
    },
  });

export const myOrdersList: PolledList<SaleOrderBody> = {
  queryKey: myKeys.orders,
  fetch: ({ signal: given, pageParam }) =>
    ask(
      (signal) =>
        api.GET('/me/orders', {
          signal,
          params: { query: { limit: PAGE, ...(pageParam && { after: pageParam }) } },
        }),
      given,
    ),
  keyOf: (order) => order.id,
  pace: (orders) => (orders.some((order) => orderPace(order, serverNow()) !== false) ? 5000 : false),
};

export const itemsRead = infiniteQueryOptions({
  queryKey: myKeys.items,
  queryFn: ({ signal: given, pageParam }) =>
    ask(
      (signal) =>
        api.GET('/me/items', {
          signal,
          params: { query: { limit: PAGE, ...(pageParam && { after: pageParam }) } },
        }),
      given,
    ),
  initialPageParam: '',
  getNextPageParam: (page) => page.next ?? undefined,
});
