// One post: its text, its author, and what one can do about it.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useParams } from 'react-router';
import { hasCode } from '../../api/problem';
import type { PostWholeBody } from '../../api/wire';
import { formatNumber } from '../../i18n';
import { Empty, Failed, Loading } from '../../play/parts/states';
import { useTitle } from '../../play/parts/useTitle';
import { useSession } from '../../play/session';
import { useText } from '../../play/text';
import { canModerate } from '../moderation';
import { BackBar } from '../parts/BackBar';
import { Badges } from '../parts/Badges';
import { Byline } from '../parts/Byline';
import { Comments } from '../parts/Comments';
import { FollowButton } from '../parts/FollowButton';
import { DotsIcon, LinkIcon } from '../parts/icons';
import { LikeButton } from '../parts/LikeButton';
import { ModeratorPanel } from '../parts/ModeratorPanel';
import marks from '../parts/marks.module.css';
import { hostOf } from '../parts/PostCard';
import { PostMenu } from '../parts/PostMenu';
import { Rendered } from '../parts/Rendered';
import { ShareButton } from '../parts/ShareButton';
import { VotePanel } from '../parts/VotePanel';
import { historyRead, postRead } from '../reads';
import styles from './Post.module.css';

export default function Post() {
  const { id = '' } = useParams();
  const { me } = useSession();
  const query = useQuery(postRead(id));
  const gone = hasCode(query.error, 'not_found');
  // What others do not see any more, moderators still do.
  const kept = useQuery(historyRead(id, gone && canModerate(me)));
  const post = gone ? kept.data?.post : query.data;
  return (
    <>
      <BackBar />
      {(query.isPending || (gone && kept.isLoading)) && <Loading />}
      {query.error && !gone && !post && <Failed error={query.error} retry={() => void query.refetch()} />}
      {gone && !post && !kept.isLoading && <Gone />}
      {post && <Whole key={post.id} post={post} />}
    </>
  );
}

function Gone() {
  const { t } = useText();
  useTitle(t('post.gone'));
  return (
    <Empty title={t('post.gone')}>
      <p>{t('post.goneText')}</p>
      <Link to="/community" className="button">
        {t('post.toFeed')}
      </Link>
    </Empty>
  );
}

function Whole({ post }: { post: PostWholeBody }) {
  const { t, language } = useText();
  const { me } = useSession();
  const [menu, setMenu] = useState(false);
  useTitle(post.title);
  const mine = me !== undefined && post.author?.id === me.id;
  return (
    <>
      <article className={styles.article}>
        <Byline author={post.author} publishedAt={post.published_at_ms} editedAt={post.edited_at_ms} tall>
          {post.author && <FollowButton id={post.author.id} small />}
        </Byline>
        {post.state !== 'visible' && (
          <p className={styles.state} role="status">
            {t(`post.${post.state}Text`)}
            {mine && post.state === 'removed' && (
              <>
                {' '}
                <Link to="/me/decisions">{t('decisions.see')}</Link>
              </>
            )}
          </p>
        )}
        <h1 className={styles.title}>{post.title}</h1>
        <Badges post={post} />
        {post.link && (
          <a
            className={styles.link}
            href={post.link}
            target="_blank"
            rel="ugc nofollow noopener"
            aria-label={t('post.linkTo', { host: hostOf(post.link) })}
          >
            <LinkIcon />
            <span>
              <b>{hostOf(post.link)}</b>
              <small>{post.link}</small>
            </span>
          </a>
        )}
        <Rendered html={post.html} />
        {post.state === 'visible' && (
          <div className={styles.foot}>
            <LikeButton post={post} />
            {post.likes > 0 && (
              <Link to={`/posts/${post.id}/likes`} className={marks.button}>
                {t('post.likes', { count: post.likes, number: formatNumber(post.likes, language) })}
              </Link>
            )}
            <ShareButton title={post.title} />
            {me && (mine || post.author) && <MenuButton onOpen={() => setMenu(true)} />}
          </div>
        )}
        {post.state !== 'visible' && mine && post.state !== 'deleted' && (
          <div className={styles.foot}>
            <MenuButton onOpen={() => setMenu(true)} />
          </div>
        )}
      </article>
      {post.state === 'visible' && <VotePanel post={post} />}
      {post.state === 'visible' && <Comments post={post} />}
      {canModerate(me) && <ModeratorPanel post={post} mine={mine} />}
      {menu && <PostMenu post={post} mine={mine} onClose={() => setMenu(false)} />}
    </>
  );
}

function MenuButton({ onOpen }: { onOpen(): void }) {
  const { t } = useText();
  return (
    <button type="button" className="icon-button" aria-label={t('post.more')} onClick={onOpen}>
      <DotsIcon />
    </button>
  );
}
