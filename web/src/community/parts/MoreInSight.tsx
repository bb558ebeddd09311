import { useEffect, useRef } from 'react';
import { More } from '../../play/parts/More';

interface Props {
  query: { hasNextPage: boolean; isFetchingNextPage: boolean; error: unknown; fetchNextPage(): unknown };
}

/** How far below what is in sight the next page is fetched already. */
const AHEAD = '600px 0px';

/** The next page of a list: comes by itself shortly before its end is reached, and by a button where that failed. */
export function MoreInSight({ query }: Props) {
  const end = useRef<HTMLDivElement>(null);
  const { hasNextPage, isFetchingNextPage, error, fetchNextPage } = query;
  const ready = hasNextPage && !isFetchingNextPage && !error;
  useEffect(() => {
    if (!ready || !end.current || typeof IntersectionObserver === 'undefined') return;
    const watch = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting) void fetchNextPage();
      },
      { rootMargin: AHEAD },
    );
    watch.observe(end.current);
    return () => watch.disconnect();
  }, [ready, fetchNextPage]);
  return (
    <div ref={end}>
      <More query={query} />
    </div>
  );
}
