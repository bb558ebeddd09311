// How reads are cached and repeated: quietly while the connection is gone, never when the server has said no.
import { QueryClient } from '@tanstack/react-query';
import { Lost, mayRepeat, pauseMs } from './problem';

/** Attempts at a read that the server could not serve just now; a lost connection is tried until it is back. */
const BUSY_ATTEMPTS_MAX = 3;

/** Reads again every so often, and sooner when the connection was lost: a page that has shown its error comes back. */
export function every(ms: number | false) {
  return (query: { state: { error: unknown } }): number | false =>
    query.state.error instanceof Lost ? 5000 : ms;
}

export function makeQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 10_000,
        refetchOnWindowFocus: true,
        refetchOnReconnect: true,
        retry: (failures, error) =>
          mayRepeat(error) && failures < (error instanceof Lost ? 2 : BUSY_ATTEMPTS_MAX),
        retryDelay: (failures, error) => pauseMs(failures, error),
        refetchInterval: every(false),
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
}
