// One activity: the stage with its game or the raffle, the chances, the winners, and the ways to odds and proofs.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, Navigate, useParams } from 'react-router';
import { hasCode } from '../../api/problem';
import type { PlayBody } from '../../api/wire';
import { formatMoment } from '../../i18n';
import { useNow } from '../../time/useNow';
import { Chevron, Shield } from '../parts/art';
import { Countdown } from '../parts/Countdown';
import { Head } from '../parts/Head';
import { Marquee } from '../parts/Marquee';
import { Failed, Loading } from '../parts/states';
import { activityRead, leadersRead } from '../reads';
import { useSession } from '../session';
import { type Standing, standingOf } from '../standing';
import { useText } from '../text';
import { Imprint } from './Imprint';
import Lost from './Lost';
import { RaffleStage } from './RaffleStage';
import { Stage } from './Stage';
import '../style/play.css';
import '../style/games.css';
import { shownName } from '../people';

export default function Play() {
  const { id = '' } = useParams();
  return <PlayOf id={id} />;
}

/** `tree` is the rule tree that picked it, where one did. */
export function PlayOf({ id, tree }: { id: string; tree?: string }) {
  const { data, error, isPending, refetch } = useQuery(activityRead(id));
  if (isPending) return <Loading />;
  if (hasCode(error, 'not_found', 'invalid_field') && !data) return <Lost />;
  if (!data) return <Failed error={error} retry={() => void refetch()} />;
  if (data.kind === 'sale') return <Navigate to={`/sales/${data.id}`} replace />;
  return <Activity activity={data} tree={tree} />;
}

function Activity({ activity, tree }: { activity: PlayBody; tree: string | undefined }) {
  const { t } = useText();
  const { me } = useSession();
  const begun = useNow(activity.from_ms);
  const ended = useNow(activity.until_ms);
  const standing = standingOf(activity, Math.max(begun, ended));
  const [turning, setTurning] = useState(false);
  const raffle = activity.kind === 'raffle';
  const soldOut =
    standing === 'running' && !raffle && activity.prizes.every((prize) => prize.left === 'none');
  return (
    <>
      <Head title={activity.name} back="/" />
      {activity.description && <p className="lead">{activity.description}</p>}
      <StandingLine activity={activity} standing={standing} />
      {soldOut && <p className="standing paused">{t('state.soldOut')}</p>}
      {raffle ? (
        <RaffleStage activity={activity} standing={standing} />
      ) : (
        <>
          <Marquee activity={activity.id} held={turning} />
          <Stage activity={activity} tree={tree} standing={standing} onTurning={setTurning} />
        </>
      )}
      <ul className="links">
        <li>
          <Link to={`/activities/${activity.id}/odds`}>
            {t(raffle ? 'odds.linkRaffle' : 'odds.link')}
            <Chevron />
          </Link>
        </li>
        <li>
          <Link to={`/activities/${activity.id}/winners`}>
            {t('winners.all')}
            <Chevron />
          </Link>
        </li>
        {me && !raffle && (
          <li>
            <Link to={`/activities/${activity.id}/draws`}>
              <Shield />
              {t('draws.link')}
              <Chevron />
            </Link>
          </li>
        )}
        {me && (
          <li>
            <Link to="/me/wins">
              {t('wins.link')}
              <Chevron />
            </Link>
          </li>
        )}
      </ul>
      {!raffle && <Leaders id={activity.id} />}
      <Imprint of={activity.imprint} />
    </>
  );
}

function StandingLine({ activity, standing }: { activity: PlayBody; standing: Standing }) {
  const { t, language } = useText();
  return (
    <p className={`standing ${standing}`} role="status">
      {standing === 'soon' && <Countdown to={activity.from_ms} label={t('home.startsIn')} />}
      {standing === 'running' && <Countdown to={activity.until_ms} label={t('home.endsIn')} />}
      {standing === 'paused' && t('state.pausedText')}
      {standing === 'over' &&
        t(
          (activity.ended_ms ?? activity.until_ms) < activity.until_ms ? 'state.overEarly' : 'state.overText',
          {
            when: formatMoment(activity.ended_ms ?? activity.until_ms, language),
          },
        )}
    </p>
  );
}

function Leaders({ id }: { id: string }) {
  const { t } = useText();
  const { data } = useQuery(leadersRead(id));
  if (!data || data.items.length === 0) return null;
  return (
    <section className="section">
      <h2>{t('leaders')}</h2>
      <ol className="leaders">
        {data.items.slice(0, 10).map((leader, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: masked names may be the same, places are not
          <li key={place}>
            <b>{place + 1}</b>
            <span>{shownName(leader.name, t)}</span>
            <small>{t('leaders.won', { count: leader.won })}</small>
          </li>
        ))}
      </ol>
    </section>
  );
}
