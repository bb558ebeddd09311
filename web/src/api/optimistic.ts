// An act whose outcome is shown before the server has answered. One pattern for all of them: what is shown is changed at
// once, put back if the server says no, and read again in any case, so that the server has the last word.
import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query';

interface Optimistic<Shown, Wish> {
  /** The read that shows it. */
  queryKey: QueryKey;
  send: (wish: Wish) => Promise<unknown>;
  /** What is shown once the wish is granted. */
  apply: (shown: Shown, wish: Wish) => Shown;
}

export function useOptimistic<Shown, Wish>({ queryKey, send, apply }: Optimistic<Shown, Wish>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: send,
    onMutate: async (wish) => {
      // A read that is under way knows nothing of the wish, and would show the old state over it.
      await client.cancelQueries({ queryKey, exact: true });
      const before = client.getQueryData<Shown>(queryKey);
      if (before !== undefined) client.setQueryData<Shown>(queryKey, apply(before, wish));
      return { before };
    },
    onError: (_error, _wish, kept) => {
      if (kept?.before !== undefined) client.setQueryData(queryKey, kept.before);
    },
    onSettled: () => client.invalidateQueries({ queryKey, exact: true }),
  });
}
