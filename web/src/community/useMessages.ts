import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { api, ask, insist } from '../api/client';
import { useOnce } from '../api/once';
import { communityKeys } from './keys';

/** Sends a message. One per wish: what is pressed again after a lost answer is sent once. */
export function useSendMessage(id: string) {
  const client = useQueryClient();
  const once = useOnce();
  return useMutation({
    mutationFn: (text: string) =>
      once({ text }, (key) =>
        insist((signal) =>
          api.POST('/users/{id}/messages', {
            signal,
            params: { path: { id }, header: { 'Idempotency-Key': key } },
            body: { text },
          }),
        ),
      ),
    onSuccess: () => client.invalidateQueries({ queryKey: communityKeys.news }),
  });
}

/** Says that everything up to the newest message of the other one was read. */
export function useMarkRead(id: string, newest: number | undefined) {
  const { mutate } = useMutation({
    mutationFn: (until: number) =>
      ask((signal) =>
        api.POST('/users/{id}/messages/read', { signal, params: { path: { id } }, body: { until } }),
      ),
  });
  useEffect(() => {
    if (newest !== undefined) mutate(newest);
  }, [newest, mutate]);
}
