// Somebody: who they are, what they wrote, who follows them.
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useParams } from 'react-router';
import { hasCode } from '../../api/problem';
import type { MemberBody } from '../../api/wire';
import { formatNumber } from '../../i18n';
import { Empty, Failed, Loading, Refused } from '../../play/parts/states';
import { useTitle } from '../../play/parts/useTitle';
import { shownName } from '../../play/people';
import { useSession } from '../../play/session';
import { useText } from '../../play/text';
import { BackBar } from '../parts/BackBar';
import { BlockDialog } from '../parts/BlockDialog';
import { Level } from '../parts/Byline';
import { Face } from '../parts/Face';
import { FollowButton } from '../parts/FollowButton';
import { DotsIcon, LetterIcon } from '../parts/icons';
import { MuteButton } from '../parts/MuteButton';
import { PostList } from '../parts/PostList';
import { ReportDialog } from '../parts/ReportDialog';
import { memberRead, postsOfRead } from '../reads';
import { useRelation } from '../useRelation';
import styles from './Member.module.css';

export default function Member() {
  const { id = '' } = useParams();
  const { t } = useText();
  const { me, asking } = useSession();
  const query = useQuery(memberRead(id));
  if (query.isPending || asking) return <Loading />;
  if (!query.data && hasCode(query.error, 'not_found'))
    return (
      <>
        <BackBar />
        <Empty title={t('member.gone')}>
          <p>{t('member.goneText')}</p>
        </Empty>
      </>
    );
  if (!query.data) return <Failed error={query.error} retry={() => void query.refetch()} />;
  return <Profile key={id} member={query.data} mine={me?.id === id} />;
}

function Profile({ member, mine }: { member: MemberBody; mine: boolean }) {
  const { t } = useText();
  const { me } = useSession();
  const [blocking, setBlocking] = useState(false);
  const [reporting, setReporting] = useState(false);
  const name = shownName(member.name, t);
  useTitle(name);
  const blocked = member.relation?.blocked ?? false;
  return (
    <>
      <div className={styles.banner} aria-hidden="true" />
      <section className={styles.card} aria-label={name}>
        <div className={styles.top}>
          <Face person={member} size="large" />
          <div className={styles.acts}>
            {mine ? (
              <Link to="/me" className="button small">
                {t('member.edit')}
              </Link>
            ) : (
              <FollowButton id={member.id} />
            )}
            {me && !mine && !blocked && (
              <Link
                to={`/inbox/messages/${member.id}`}
                className="icon-button"
                aria-label={t('messages.writeTo', { name })}
              >
                <LetterIcon />
              </Link>
            )}
            {me && !mine && !blocked && (
              <button
                type="button"
                className="icon-button"
                aria-label={t('block.title', { name })}
                onClick={() => setBlocking(true)}
              >
                <DotsIcon />
              </button>
            )}
          </div>
        </div>
        <div>
          <div className={styles.name}>
            <h1>{name}</h1>
            <Level level={member.level} />
            {member.relation?.follows_me && <span className={styles.follows}>{t('followsYou')}</span>}
          </div>
          <p className="quiet">{t('member.since', { day: member.sign_up_day })}</p>
        </div>
        <Counts member={member} />
        {me && !mine && !blocked && (
          <div className="buttons">
            <MuteButton on="person" id={member.id} label={t('mute.person', { name })} />
            <button type="button" className="button small" onClick={() => setReporting(true)}>
              {t('report.title.person')}
            </button>
          </div>
        )}
        {blocked && <Blocked member={member} name={name} />}
      </section>
      {!blocked && <Posts id={member.id} mine={mine} />}
      {reporting && <ReportDialog on="person" id={member.id} onClose={() => setReporting(false)} />}
      {blocking && (
        <BlockDialog
          id={member.id}
          name={name}
          onClose={() => setBlocking(false)}
          onBlocked={() => window.scrollTo(0, 0)}
        />
      )}
    </>
  );
}

function Counts({ member }: { member: MemberBody }) {
  const { t, language } = useText();
  const number = (value: number) => <b>{formatNumber(value, language)}</b>;
  return (
    <div className={styles.counts}>
      <span>
        {number(member.posts)} {t('member.posts', { count: member.posts })}
      </span>
      <Link to={`/members/${member.id}/followers`}>
        {number(member.followers)} {t('member.followers', { count: member.followers })}
      </Link>
      <Link to={`/members/${member.id}/following`}>
        {number(member.following)} {t('member.following', { count: member.following })}
      </Link>
    </div>
  );
}

function Blocked({ member, name }: { member: MemberBody; name: string }) {
  const { t } = useText();
  const relation = useRelation(member.id);
  return (
    <div className={styles.blocked} role="status">
      <div>
        <b>{t('block.done', { name })}</b>
        <p>{t('block.doneText')}</p>
      </div>
      <button
        type="button"
        className="button small"
        disabled={relation.isPending}
        onClick={() => relation.mutate('unblock')}
      >
        {t('unblock')}
      </button>
      <Refused error={relation.error} />
    </div>
  );
}

function Posts({ id, mine }: { id: string; mine: boolean }) {
  const { t } = useText();
  const query = useInfiniteQuery(postsOfRead(id, mine));
  return (
    <section>
      <h2 className="unseen">{t('member.postsTitle')}</h2>
      <PostList
        query={query}
        empty={
          <Empty title={mine ? t('member.emptyMine') : t('member.empty')}>
            {mine && (
              <Link to="/write" className="button primary">
                {t('feed.write')}
              </Link>
            )}
          </Empty>
        }
      />
    </section>
  );
}
