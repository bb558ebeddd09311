import { Link } from 'react-router';
import type { PostBody } from '../../api/wire';
import { formatNumber } from '../../i18n';
import { useText } from '../../play/text';
import { Badges } from './Badges';
import { Byline } from './Byline';
import { CommentIcon, LinkIcon, VoteIcon } from './icons';
import { LikeButton } from './LikeButton';
import marks from './marks.module.css';
import styles from './PostCard.module.css';

/** Places that are set apart. */
const TOP = 3;

/** Where a link leads to, as people know it. */
export function hostOf(link: string): string {
  try {
    return new URL(link).host.replace(/^www\./, '');
  } catch {
    return link;
  }
}

/** A post in a list; all of it leads to the post. With a rank in the hot list. */
export function PostCard({ post, rank }: { post: PostBody; rank?: number | undefined }) {
  const { t, language } = useText();
  return (
    <article className={styles.card} data-state={post.state}>
      <div className={styles.above}>
        <Byline author={post.author} publishedAt={post.published_at_ms} editedAt={post.edited_at_ms} />
      </div>
      <div className={styles.top}>
        {rank !== undefined && (
          <span className={styles.rank} data-top={rank <= TOP}>
            <span className="unseen">{t('rank', { number: rank })}</span>
            <span aria-hidden="true">{rank}</span>
          </span>
        )}
        <div>
          <h2 className={styles.heading}>
            <Link to={`/posts/${post.id}`} className={styles.title}>
              {post.title}
            </Link>
          </h2>
          {post.excerpt && <p className={styles.excerpt}>{post.excerpt}</p>}
          {post.link && (
            <span className={styles.host}>
              <LinkIcon />
              {hostOf(post.link)}
            </span>
          )}
          <Badges post={post} />
        </div>
      </div>
      <div className={styles.foot}>
        <span className={marks.count} data-mine={post.voted_by_me}>
          <VoteIcon full={post.voted_by_me} />
          <span aria-hidden="true">{formatNumber(post.votes, language)}</span>
          <span className="unseen">
            {t('post.votes', { count: post.votes, number: formatNumber(post.votes, language) })}
          </span>
        </span>
        <span className={styles.above}>
          <LikeButton post={post} />
        </span>
        <span className={marks.count}>
          <CommentIcon />
          <span aria-hidden="true">{formatNumber(post.comments, language)}</span>
          <span className="unseen">
            {t('post.comments', { count: post.comments, number: formatNumber(post.comments, language) })}
          </span>
        </span>
      </div>
    </article>
  );
}
