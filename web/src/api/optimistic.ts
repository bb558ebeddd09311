// An act whose outcome is shown before the server has answered. One pattern for all of them: what is shown is changed at
// once, put back if the server says no, and then the server has the last word: by its answer where that says everything
// (`settle`), else by reading again.
import { type Query, type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query';

interface Optimistic<Shown, Wish, Answer> {
  /** The read that shows it; with `everywhere`, what the keys of all reads that show it begin with. */
  queryKey: QueryKey;
  everywhere?: boolean;
  send: (wish: Wish) => Promise<Answer>;
  /** What is shown once the wish is granted. */
  apply: (shown: Shown, wish: Wish) => Shown;
  /** What is shown by the server's answer. Without it the read is repeated. */
  settle?: (shown: Shown, answer: Answer, wish: Wish) => Shown;
}

export function useOptimistic<Shown, Wish, Answer = unknown>({
  queryKey,
  everywhere = false,
  send,
  apply,
  settle,
}: Optimistic<Shown, Wish, Answer>) {
  const client = useQueryClient();
  const reads = { queryKey, exact: !everywhere };
  const change = (how: (shown: Shown) => Shown) =>
    client.setQueriesData<Shown>(reads, (shown) => shown && how(shown));
  return useMutation({
    mutationFn: send,
    onMutate: async (wish) => {
      // A read that is under way knows nothing of the wish, and would show the old state over it. One that shows nothing
      // yet goes on: nobody would begin it again.
      const showsSomething = (query: Query) => query.state.data !== undefined;
      await client.cancelQueries({ ...reads, predicate: showsSomething });
      const before = client.getQueriesData<Shown>(reads);
      change((shown) => apply(shown, wish));
      return { before };
    },
    onError: (_error, _wish, kept) => {
      for (const [key, shown] of kept?.before ?? []) if (shown !== undefined) client.setQueryData(key, shown);
      // Put back, but nobody knows what the server did if its answer was lost.
      if (settle) return client.invalidateQueries(reads);
      return undefined;
    },
    onSuccess: (answer, wish) => {
      if (settle) change((shown) => settle(shown, answer, wish));
    },
    onSettled: () => (settle ? undefined : client.invalidateQueries(reads)),
  });
}
