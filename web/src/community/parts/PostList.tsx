import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { ListPage } from '../../api/polled';
import { hasCode } from '../../api/problem';
import type { PostBody } from '../../api/wire';
import { Failed, Loading } from '../../play/parts/states';
import { VirtualList } from '../../play/parts/VirtualList';
import { useText } from '../../play/text';
import { MoreInSight } from './MoreInSight';
import { PostCard } from './PostCard';
import styles from './PostList.module.css';

/** How high a card is, before one was measured. */
const CARD_PX = 190;

interface Props {
  query: UseInfiniteQueryResult<InfiniteData<ListPage<PostBody>>>;
  empty: ReactNode;
  ranked?: boolean;
  /** From the beginning again, where a list can only be continued for a while. */
  restart?: () => void;
}

export function PostList({ query, empty, ranked = false, restart }: Props) {
  const { t } = useText();
  const posts = query.data?.pages.flatMap((page) => page.items) ?? [];
  const places = ranked ? new Map(posts.map((post, at) => [post.id, at + 1])) : undefined;
  const expired = hasCode(query.error, 'snapshot_expired');
  if (query.isPending) return <Loading />;
  if (!query.data) return <Failed error={query.error} retry={() => void query.refetch()} />;
  if (posts.length === 0 && !query.hasNextPage) return empty;
  return (
    <>
      <VirtualList rows={posts} keyOf={(post) => post.id} rowPx={CARD_PX}>
        {(post) => <PostCard post={post} rank={places?.get(post.id)} />}
      </VirtualList>
      {expired && restart ? (
        <div className={styles.end} role="alert">
          <p>{t('feed.expired')}</p>
          <button type="button" className="button" onClick={restart}>
            {t('feed.again')}
          </button>
        </div>
      ) : (
        <MoreInSight query={query} />
      )}
      {!query.hasNextPage && <p className={styles.end}>{t('feed.end')}</p>}
    </>
  );
}
