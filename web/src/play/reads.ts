// What pages read, in one place: each query with its key. Keys that begin with `mine` are forgotten at sign-out.

import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api, ask } from '../api/client';
import type { PolledList } from '../api/polled';
import { every } from '../api/queries';
import type { FulfilmentState, ShopOrderBody, WinBody, WinnerListedPage } from '../api/wire';
import { serverNow } from '../time/clock';
import { activityKeys, myKeys, saleKeys, shopKeys, siteKeys } from './keys';
import { rafflePaceMs } from './raffle';

const PAGE = 30;

/** Who runs the site and what players agree to. */
export const siteRead = queryOptions({
  queryKey: siteKeys.texts,
  queryFn: ({ signal: given }) => ask((signal) => api.GET('/site', { signal }), given),
  staleTime: 600_000,
});

export const activitiesRead = queryOptions({
  queryKey: activityKeys.list,
  queryFn: ({ signal: given }) =>
    ask((signal) => api.GET('/play/activities', { signal, params: { query: { limit: 100 } } }), given),
  refetchInterval: every(60_000),
});

export const salesRead = queryOptions({
  queryKey: saleKeys.list,
  queryFn: ({ signal: given }) =>
    ask((signal) => api.GET('/sales', { signal, params: { query: { limit: 50 } } }), given),
  refetchInterval: every(15_000),
});

export const activityRead = (id: string) =>
  queryOptions({
    queryKey: activityKeys.one(id),
    queryFn: ({ signal: given }) =>
      ask((signal) => api.GET('/play/activities/{id}', { signal, params: { path: { id } } }), given),
    refetchInterval: every(60_000),
  });

export const chancesRead = (id: string, signedIn: boolean) =>
  queryOptions({
    queryKey: myKeys.chances(id),
    queryFn: ({ signal: given }) =>
      ask((signal) => api.GET('/play/activities/{id}/me', { signal, params: { path: { id } } }), given),
    enabled: signedIn,
  });

export const leadersRead = (id: string) =>
  queryOptions({
    queryKey: activityKeys.leaders(id),
    queryFn: ({ signal: given }) =>
      ask((signal) => api.GET('/play/activities/{id}/leaders', { signal, params: { path: { id } } }), given),
    staleTime: 15_000,
  });

export const winnersRead = (id: string) =>
  infiniteQueryOptions({
    queryKey: activityKeys.winners(id),
    // The same address gives a file too, for whoever asks for one.
    queryFn: ({ signal: given, pageParam }) =>
      ask(
        (signal) =>
          api.GET('/activities/{id}/winners', {
            signal,
            params: { path: { id }, query: { limit: PAGE, ...(pageParam && { after: pageParam }) } },
          }),
        given,
      ) as Promise<WinnerListedPage>,
    initialPageParam: '',
    getNextPageParam: (page) => page.next ?? undefined,
  });

export const raffleRead = (id: string) =>
  queryOptions({
    queryKey: activityKeys.raffle(id),
    queryFn: ({ signal: given }) =>
      ask((signal) => api.GET('/play/activities/{id}/raffle', { signal, params: { path: { id } } }), given),
    refetchInterval: (query) =>
      every(query.state.data ? rafflePaceMs(query.state.data, serverNow()) : false)(query),
  });

/** What I won in a round of a raffle, if I did: its list of winners has the first hundred only. */
export const raffleWinRead = (activity: string, round: number) =>
  queryOptions({
    queryKey: myKeys.raffleWin(activity, round),
    queryFn: ({ signal: given }) =>
      ask((signal) => api.GET('/me/wins', { signal, params: { query: { limit: 100 } } }), given),
    select: ({ items }) => items.find((win) => win.activity === activity && win.round === round)?.prize,
  });

export const raffleWinnersRead = (id: string, round: number) =>
  infiniteQueryOptions({
    queryKey: activityKeys.raffleWinners(id, round),
    queryFn: ({ signal: given, pageParam }) =>
      ask(
        (signal) =>
          api.GET('/play/activities/{id}/raffle/winners', {
            signal,
            params: { path: { id }, query: { round, limit: 200, ...(pageParam && { after: pageParam }) } },
          }),
        given,
      ),
    initialPageParam: '',
    getNextPageParam: (last) => last.next ?? undefined,
  });

export const drawsRead = (id: string) =>
  infiniteQueryOptions({
    queryKey: myKeys.draws(id),
    queryFn: ({ signal: given, pageParam }) =>
      ask(
        (signal) =>
          api.GET('/play/activities/{id}/me/draws', {
            signal,
            params: { path: { id }, query: { limit: PAGE, ...(pageParam && { after: pageParam }) } },
          }),
        given,
      ),
    initialPageParam: '',
    getNextPageParam: (page) => page.next ?? undefined,
  });

export const proofRead = (id: string, ticket: string) =>
  queryOptions({
    queryKey: myKeys.proof(id, ticket),
    queryFn: ({ signal: given }) =>
      ask(
        (signal) =>
          api.GET('/play/activities/{id}/me/proof/{ticket}', { signal, params: { path: { id, ticket } } }),
        given,
      ),
  });

/** What is on its way right now is looked at again shortly: a code is there within a second or two. */
const UNDER_WAY_MS = 1500;
const underWay = (givings: readonly { state: FulfilmentState }[]): number | false =>
  givings.some(({ state }) => state === 'ready') ? UNDER_WAY_MS : false;

export const winsList: PolledList<WinBody> = {
  queryKey: myKeys.wins,
  fetch: ({ signal: given, pageParam }) =>
    ask(
      (signal) =>
        api.GET('/me/wins', {
          signal,
          params: { query: { limit: PAGE, ...(pageParam && { after: pageParam }) } },
        }),
      given,
    ),
  keyOf: (win) => win.id,
  pace: (wins) => underWay(wins.map((win) => win.giving)),
};

/** How many of my newest wins wait to be claimed. */
export const waitingWinsRead = (signedIn: boolean) =>
  queryOptions({
    queryKey: myKeys.waitingWins,
    queryFn: ({ signal: given }) =>
      ask((signal) => api.GET('/me/wins', { signal, params: { query: { limit: 100 } } }), given),
    select: ({ items }) => items.filter(({ giving }) => giving.next === 'claim').length,
    enabled: signedIn,
    staleTime: 60_000,
  });

/** Orders that wait for my payment, for the first page. */
export const unpaidOrdersRead = (signedIn: boolean) =>
  queryOptions({
    queryKey: myKeys.unpaidOrders,
    queryFn: ({ signal: given }) =>
      ask(
        (signal) => api.GET('/me/orders', { signal, params: { query: { limit: 10, state: 'unpaid' } } }),
        given,
      ),
    enabled: signedIn,
    staleTime: 5000,
  });

export const pointsRead = queryOptions({
  queryKey: myKeys.points,
  queryFn: ({ signal: given }) => ask((signal) => api.GET('/me/points', { signal }), given),
});

export const grantsRead = infiniteQueryOptions({
  queryKey: myKeys.grants,
  queryFn: ({ signal: given, pageParam }) =>
    ask(
      (signal) =>
        api.GET('/me/grants', {
          signal,
          params: { query: { limit: PAGE, ...(pageParam && { after: pageParam }) } },
        }),
      given,
    ),
  initialPageParam: '',
  getNextPageParam: (page) => page.next ?? undefined,
});

/** Where a rule tree sends whoever is signed in. */
export const routeRead = (tree: string) =>
  queryOptions({
    queryKey: myKeys.route(tree),
    queryFn: ({ signal: given }) =>
      ask((signal) => api.GET('/play/trees/{id}', { signal, params: { path: { id: tree } } }), given),
  });

export const statementRead = infiniteQueryOptions({
  queryKey: myKeys.statement,
  queryFn: ({ signal: given, pageParam }) =>
    ask(
      (signal) =>
        api.GET('/me/points/statement', {
          signal,
          params: { query: { limit: PAGE, ...(pageParam && { after: pageParam }) } },
        }),
      given,
    ),
  initialPageParam: '',
  getNextPageParam: (page) => page.next ?? undefined,
});

export const addressesRead = queryOptions({
  queryKey: myKeys.addresses,
  queryFn: ({ signal: given }) => ask((signal) => api.GET('/me/addresses', { signal }), given),
});

export const sessionsRead = queryOptions({
  queryKey: myKeys.sessions,
  queryFn: ({ signal: given }) => ask((signal) => api.GET('/me/sessions', { signal }), given),
});

export const offersRead = queryOptions({
  queryKey: shopKeys.offers,
  queryFn: ({ signal: given }) =>
    ask((signal) => api.GET('/shop', { signal, params: { query: { limit: 100 } } }), given),
  refetchInterval: every(30_000),
});

export const shopOrdersList: PolledList<ShopOrderBody> = {
  queryKey: myKeys.shopOrders,
  fetch: ({ signal: given, pageParam }) =>
    ask(
      (signal) =>
        api.GET('/me/shop-orders', {
          signal,
          params: { query: { limit: PAGE, ...(pageParam && { after: pageParam }) } },
        }),
      given,
    ),
  keyOf: (order) => order.id,
  pace: (orders) => {
    const placed = orders.some((order) => order.state === 'placed') ? UNDER_WAY_MS : false;
    return placed || underWay(orders.flatMap((order) => order.things.map((thing) => thing.giving)));
  },
};
