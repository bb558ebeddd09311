import { Link, useLocation } from 'react-router';
import type { PostBody } from '../../api/wire';
import { formatNumber, formatShort } from '../../i18n';
import { Refused } from '../../play/parts/states';
import { signInPath, useSession } from '../../play/session';
import { useText } from '../../play/text';
import { useNow } from '../../time/useNow';
import { usePostMarks } from '../usePostMarks';
import { VoteIcon } from './icons';
import styles from './VotePanel.module.css';

/** From so many votes on the server marks a post as interesting. */
const INTERESTING_VOTES = 200;

/** A vote for a post: how far it is, until when votes count, and the button. */
export function VotePanel({ post }: { post: PostBody }) {
  const { t, language } = useText();
  const { me } = useSession();
  const { pathname } = useLocation();
  const { vote } = usePostMarks(post.id);
  const over = useNow(post.voting_until_ms) >= post.voting_until_ms;
  const missing = Math.max(0, INTERESTING_VOTES - post.votes);
  const votes = t('post.votes', { count: post.votes, number: formatNumber(post.votes, language) });
  return (
    <section className={styles.panel} aria-labelledby="vote-title">
      <div>
        <h2 id="vote-title">{t('post.voteTitle')}</h2>
        {missing === 0 ? (
          <p className={styles.done}>{t('post.voteDone')}</p>
        ) : (
          !over && <p>{t('post.voteText', { count: missing })}</p>
        )}
      </div>
      {me || over ? (
        <button
          type="button"
          className={post.voted_by_me || over ? 'button' : 'button gold'}
          disabled={post.voted_by_me || over}
          onClick={() => vote.mutate()}
        >
          <VoteIcon full={post.voted_by_me} />
          {post.voted_by_me ? t('post.voted') : t('post.vote')}
        </button>
      ) : (
        <Link to={signInPath(pathname)} className="button">
          {t('post.signInToVote')}
        </Link>
      )}
      <progress
        className={styles.bar}
        value={Math.min(post.votes, INTERESTING_VOTES)}
        max={INTERESTING_VOTES}
        aria-label={votes}
      />
      <p>
        {over
          ? t('post.voteOver')
          : t('post.voteUntil', { when: formatShort(post.voting_until_ms, language) })}
      </p>
      <p className={styles.count}>{votes}</p>
      <Refused error={vote.error} />
    </section>
  );
}
