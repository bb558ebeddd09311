import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { API_ROOT } from '../api/client';
import type { UnreadBody } from '../api/wire';
import { useStream } from '../live/useStream';
import { useSession } from '../play/session';
import { communityKeys } from './keys';

const NOTHING: UnreadBody = { notifications: 0, messages: 0 };

/**
 * How much is unread, live. Whatever shows news is read again when it changes, and when the stream begins anew: so nothing
 * that came in between is missed.
 */
export function useNews(): UnreadBody {
  const { me } = useSession();
  const client = useQueryClient();
  const { value } = useStream<UnreadBody>(`${API_ROOT}/me/events`, 'unread', me !== undefined);
  useEffect(() => {
    if (value) void client.invalidateQueries({ queryKey: communityKeys.news });
  }, [value, client]);
  return (me && value) ?? NOTHING;
}
