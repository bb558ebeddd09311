// Who is signed in, for every page below. Whoever is not, or has no role here, is told so by `Gate` and sees no page.

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useEffect, useState } from 'react';
import { api, onSignedOut, read } from '../../api/client';
import { hasCode } from '../../api/problem';
import type { AccountBody } from '../../api/wire';
import { accountKeys } from '../keys';
import { Loading, Trouble } from '../parts/states';
import { NoRole } from './NoRole';
import { type Deed, mayDo, staffRoles } from './roles';
import { SignIn } from './SignIn';

const Me = createContext<AccountBody | undefined>(undefined);

export function Gate({ children }: { children: ReactNode }) {
  const client = useQueryClient();
  const [perhaps, setPerhaps] = useState(() => document.documentElement.dataset.session === 'perhaps');
  const { data, error, isPending, refetch } = useQuery({
    queryKey: accountKeys.me,
    queryFn: read((signal) => api.GET('/me', { signal })),
    enabled: perhaps,
    staleTime: 60_000,
  });
  useEffect(
    () =>
      onSignedOut(() => {
        setPerhaps(false);
        client.clear();
      }),
    [client],
  );
  if (!perhaps || hasCode(error, 'unauthenticated')) {
    return (
      <SignIn
        entered={() => {
          client.clear();
          setPerhaps(true);
        }}
      />
    );
  }
  if (isPending) return <Loading />;
  if (error) return <Trouble error={error} retry={() => void refetch()} />;
  if (staffRoles(data.roles).length === 0) return <NoRole name={data.name} />;
  return <Me value={data}>{children}</Me>;
}

export function useMe(): AccountBody {
  const me = useContext(Me);
  if (!me) throw new Error('outside of the gate');
  return me;
}

export function useMay(): (deed: Deed) => boolean {
  const { roles } = useMe();
  return (deed) => mayDo(roles, deed);
}
