// The comments on a post: roots page by page, what is under each when it is asked for.
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useLocation } from 'react-router';
import { hasCode } from '../../api/problem';
import type { CommentBody, PostBody } from '../../api/wire';
import { formatNumber } from '../../i18n';
import { More } from '../../play/parts/More';
import { Failed, Loading } from '../../play/parts/states';
import { signInPath, useSession } from '../../play/session';
import { useText } from '../../play/text';
import type { CommentOrder } from '../keys';
import { repliesRead, threadRead } from '../reads';
import { Comment } from './Comment';
import { CommentForm } from './CommentForm';
import styles from './Comments.module.css';

const ORDERS: readonly CommentOrder[] = ['newest', 'top'];

export function Comments({ post }: { post: PostBody }) {
  const { t, language } = useText();
  const { me } = useSession();
  const { pathname } = useLocation();
  const [order, setOrder] = useState<CommentOrder>('newest');
  return (
    <section className={styles.section} aria-labelledby="comments-title">
      <div className={styles.top}>
        <h2 id="comments-title">
          {t('comments.title', { count: post.comments, number: formatNumber(post.comments, language) })}
        </h2>
        <fieldset className={styles.orders}>
          <legend className="unseen">{t('comments.orders')}</legend>
          {ORDERS.map((one) => (
            <button key={one} type="button" aria-pressed={one === order} onClick={() => setOrder(one)}>
              {t(`comments.${one}`)}
            </button>
          ))}
        </fieldset>
      </div>
      {post.locked && <p className={styles.quiet}>{t('comments.locked')}</p>}
      {!post.locked && me && <CommentForm person={me.id} post={post.id} />}
      {!post.locked && !me && (
        <Link to={signInPath(pathname)} className="button wide">
          {t('comments.signIn')}
        </Link>
      )}
      <Thread key={order} post={post} order={order} />
    </section>
  );
}

function Thread({ post, order }: { post: PostBody; order: CommentOrder }) {
  const { t } = useText();
  const query = useInfiniteQuery(threadRead(post.id, order));
  const comments = query.data?.pages.flatMap((page) => page.items) ?? [];
  if (query.isPending) return <Loading />;
  if (!query.data) return <Failed error={query.error} retry={() => void query.refetch()} />;
  if (comments.length === 0 && !query.hasNextPage)
    return (
      <p className={styles.quiet}>
        <b>{t('comments.empty')}</b>
        <br />
        {!post.locked && t('comments.emptyText')}
      </p>
    );
  return (
    <>
      <ul>
        {comments.map((comment) => (
          <li key={comment.id}>
            <Tree comment={comment} locked={post.locked} />
          </li>
        ))}
      </ul>
      {hasCode(query.error, 'snapshot_expired') ? (
        <div className="more">
          <p className="quiet">{t('feed.expired')}</p>
          <button type="button" className="button" onClick={() => void query.refetch()}>
            {t('feed.again')}
          </button>
        </div>
      ) : (
        <More query={query} />
      )}
    </>
  );
}

/** A comment on the post itself, and everything under it. */
function Tree({ comment, locked }: { comment: CommentBody; locked: boolean }) {
  const { t } = useText();
  const [open, setOpen] = useState(false);
  return (
    <>
      <Comment comment={comment} locked={locked} onReplied={() => setOpen(true)} />
      {comment.replies > 0 && (
        <button
          type="button"
          className={`text-link ${styles.more}`}
          aria-expanded={open}
          onClick={() => setOpen(!open)}
        >
          {open ? t('comments.hide') : t('comments.show', { count: comment.replies })}
        </button>
      )}
      {open && comment.replies > 0 && <Replies root={comment.id} locked={locked} />}
    </>
  );
}

function Replies({ root, locked }: { root: string; locked: boolean }) {
  const query = useInfiniteQuery(repliesRead(root));
  if (query.isPending) return <Loading />;
  if (!query.data) return <Failed error={query.error} retry={() => void query.refetch()} />;
  return (
    <div className={styles.replies}>
      <ul>
        {query.data.pages
          .flatMap((page) => page.items)
          .map((reply) => (
            <li key={reply.id}>
              <Comment comment={reply} locked={locked} />
            </li>
          ))}
      </ul>
      <More query={query} />
    </div>
  );
}
