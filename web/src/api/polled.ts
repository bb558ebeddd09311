// Lists that are looked at again and again: only their head is. What somebody has loaded below it stays as it is, however
// many pages there are, so that a list costs the server one page per look.
import { type InfiniteData, type QueryKey, useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';

export interface ListPage<Row> {
  items: Row[];
  next?: string | null;
}

export interface PolledList<Row> {
  queryKey: QueryKey;
  fetch: (context: { signal: AbortSignal; pageParam: string }) => Promise<ListPage<Row>>;
  keyOf: (row: Row) => string;
  /** Milliseconds until the next look, by what is there. */
  pace: (rows: readonly Row[]) => number | false;
}

type Loaded<Row> = InfiniteData<ListPage<Row>, string>;

/**
 * The list with a newer head. Rows above the head's last one that are not in it any more are gone; rows below it stay. If
 * the head's last row was not there before, more came than a page holds: then the list begins anew with its head.
 */
export function withHead<Row>(
  before: Loaded<Row>,
  head: ListPage<Row>,
  keyOf: (row: Row) => string,
): Loaded<Row> {
  const rows = before.pages.flatMap((page) => page.items);
  const last = head.items.at(-1);
  const place = last === undefined ? -1 : rows.findIndex((row) => keyOf(row) === keyOf(last));
  const fresh = new Set(head.items.map(keyOf));
  const below = place < 0 || !head.next ? [] : rows.slice(place + 1).filter((row) => !fresh.has(keyOf(row)));
  if (below.length === 0) return { pages: [head], pageParams: [''] };
  const next = before.pages.at(-1)?.next ?? null;
  return { pages: [head, { items: below, next }], pageParams: ['', head.next ?? ''] };
}

export function usePolledList<Row>({ queryKey, fetch, keyOf, pace }: PolledList<Row>) {
  const client = useQueryClient();
  const query = useInfiniteQuery({
    queryKey,
    queryFn: ({ signal, pageParam }) => fetch({ signal, pageParam }),
    initialPageParam: '',
    getNextPageParam: (page) => page.next ?? undefined,
  });
  const rows = query.data?.pages.flatMap((page) => page.items) ?? [];
  const everyMs = query.data ? pace(rows) : false;
  // Every drawing has functions and a key of its own; what they say is the same for as long as the key is.
  const key = JSON.stringify(queryKey);
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => {
    if (everyMs === false) return;
    const over = new AbortController();
    const look = async () => {
      if (document.hidden || client.isFetching({ queryKey, exact: true }) > 0) return;
      const loaded = client.getQueryData<Loaded<Row>>(queryKey);
      // One page is its own head. A look that failed is told by the list itself, which tries again as every read does.
      if (!loaded || loaded.pages.length < 2) return client.refetchQueries({ queryKey, exact: true });
      try {
        const head = await fetch({ signal: over.signal, pageParam: '' });
        client.setQueryData<Loaded<Row>>(queryKey, (now) => now && withHead(now, head, keyOf));
      } catch {
        if (!over.signal.aborted) await client.refetchQueries({ queryKey, exact: true });
      }
    };
    const timer = setInterval(() => void look(), everyMs);
    return () => {
      clearInterval(timer);
      over.abort();
    };
  }, [client, key, everyMs]);
  return { query, rows };
}
