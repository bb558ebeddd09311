// Who is signed in. The cookie itself is out of reach; the page knows by asking, and asks only when the server hinted
// (in the page's own `data-session`) that a session came along.

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useState } from 'react';
import { Navigate, Outlet, useLocation } from 'react-router';
import { api, onSignedOut, read } from '../api/client';
import { hasCode } from '../api/problem';
import type { AccountBody } from '../api/wire';
import { cartChanges } from './buy/useCart';
import { myKeys, sessionKeys } from './keys';
import { Failed, Loading } from './parts/states';

interface Session {
  me: AccountBody | undefined;
  /** Not known yet. */
  asking: boolean;
  error: unknown;
  /** The server ended the session while somebody was here: it ran out, or they were signed out or banned. */
  ended: boolean;
  /** After signing in: who is it? */
  entered(): Promise<void>;
  /** After signing out: the first page, loaded anew, so that nothing of whoever was here stays in memory. */
  left(): void;
  retry(): void;
}

const Context = createContext<Session | undefined>(undefined);

export function SessionKeeper({ children }: { children: ReactNode }) {
  const [perhaps, setPerhaps] = useState(() => document.documentElement.dataset.session === 'perhaps');
  const [ended, setEnded] = useState(false);
  const client = useQueryClient();
  const { data, error, isPending, refetch } = useQuery({
    queryKey: sessionKeys.me,
    queryFn: read((signal) => api.GET('/me', { signal })),
    enabled: perhaps,
    staleTime: 60_000,
  });
  const lapsed = useCallback(() => {
    setPerhaps(false);
    // Whoever came with a cookie that was dead before they came has lost nothing.
    if (client.getQueryData(sessionKeys.me) !== undefined) setEnded(true);
    client.removeQueries({ queryKey: sessionKeys.me });
    client.removeQueries({ queryKey: myKeys.all });
  }, [client]);
  const entered = useCallback(async () => {
    setPerhaps(true);
    setEnded(false);
    client.removeQueries({ queryKey: myKeys.all });
    await client.fetchQuery({
      queryKey: sessionKeys.me,
      queryFn: read((signal) => api.GET('/me', { signal })),
      staleTime: 0,
    });
  }, [client]);
  useEffect(() => onSignedOut(lapsed), [lapsed]);
  const out = !perhaps || hasCode(error, 'unauthenticated');
  const session = useMemo<Session>(
    () => ({
      me: out ? undefined : data,
      asking: !out && isPending && !error,
      error: out ? undefined : error,
      ended,
      entered,
      left: () => {
        cartChanges.empty();
        location.replace('/');
      },
      retry: () => void refetch(),
    }),
    [out, data, isPending, error, ended, entered, refetch],
  );
  return <Context value={session}>{children}</Context>;
}

export function useSession(): Session {
  const session = useContext(Context);
  if (!session) throw new Error('outside of the session keeper');
  return session;
}

/** Where to sign in, and to come back from. */
export function signInPath(pathname: string): string {
  return pathname === '/' ? '/sign-in' : `/sign-in?back=${encodeURIComponent(pathname)}`;
}

/** Only addresses of this site are gone back to. */
export function safeBack(back: string | null): string {
  return back?.startsWith('/') && !back.startsWith('//') && !back.includes('\\') ? back : '/';
}

/** Pages that are about oneself: whoever is not signed in is sent to do so, and comes back. */
export function NeedsSession() {
  const { me, asking, error, retry } = useSession();
  const { pathname } = useLocation();
  if (asking) return <Loading />;
  if (error) return <Failed error={error} retry={retry} />;
  if (!me) return <Navigate to={signInPath(pathname)} replace />;
  return <Outlet />;
}
