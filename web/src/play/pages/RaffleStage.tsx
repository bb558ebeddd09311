// A raffle: enter until the deadline, see the roll, see who won, and draw the winners again in this browser.

import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useLocation } from 'react-router';
import { API_ROOT, api, ask } from '../../api/client';
import type { PlayBody, RaffleStateBody } from '../../api/wire';
import { fromHex, toHex } from '../../fair/bytes';
import { canVerify, sha256 } from '../../fair/numbers';
import { drawRaffle, type RaffleWinner, sameWinners } from '../../fair/raffle';
import { formatMoment, formatNumber } from '../../i18n';
import { enterOnce } from '../draw';
import { myKeys } from '../keys';
import { Cross, Tick } from '../parts/art';
import { Countdown } from '../parts/Countdown';
import { More } from '../parts/More';
import { Picture } from '../parts/Picture';
import { SoundSwitch } from '../parts/SoundSwitch';
import { Failed, Loading, Refused } from '../parts/states';
import { shownName } from '../people';
import { chancesRead, raffleRead, raffleWinnersRead, raffleWinRead } from '../reads';
import { signInPath, useSession } from '../session';
import type { Standing } from '../standing';
import { useText, type Word } from '../text';
import { RaffleMoment } from './RaffleMoment';
import { useRaffleMoment } from './useRaffleMoment';

const ENTRIES_MAX = 10;

export function RaffleStage({ activity, standing }: { activity: PlayBody; standing: Standing }) {
  const { t, language } = useText();
  const { me } = useSession();
  const { data, error, isPending, refetch } = useQuery(raffleRead(activity.id));
  const { data: chances } = useQuery(chancesRead(activity.id, me !== undefined));
  const player = chances?.player ?? undefined;
  const { data: mine } = useQuery({
    ...raffleWinRead(activity.id, data?.round ?? 0),
    enabled: me !== undefined && data?.state === 'drawn' && player !== undefined,
  });
  const won =
    player === undefined
      ? undefined
      : (data?.winners.find((winner) => winner.player === player)?.prize ?? mine);
  const moment = useRaffleMoment(data, me?.id ?? '', won !== undefined);
  return (
    <>
      <section className="stage raffle" aria-label={t('kind.raffle')}>
        <SoundSwitch />
        <ul className="raffle-prizes">
          {activity.prizes.map((prize) => (
            <li key={prize.id}>
              <Picture prize={prize} size={52} />
              <span>{prize.name}</span>
              <small>×{formatNumber(prize.units ?? 1, language)}</small>
            </li>
          ))}
        </ul>
        <Entry activity={activity} standing={standing} />
      </section>
      {isPending && <Loading />}
      {!data && error && <Failed error={error} retry={() => void refetch()} />}
      {data && <Progress raffle={data} player={player} won={won?.name} />}
      {data && moment.due && (
        <RaffleMoment
          raffle={data}
          activity={activity}
          mine={won}
          entered={player !== undefined}
          onClose={moment.seen}
        />
      )}
    </>
  );
}

function Entry({ activity, standing }: { activity: PlayBody; standing: Standing }) {
  const { t } = useText();
  const { me } = useSession();
  const { pathname } = useLocation();
  const client = useQueryClient();
  const [entries, setEntries] = useState(1);
  const { data: chances } = useQuery(chancesRead(activity.id, me !== undefined));
  const entering = useMutation({
    mutationFn: (count: number) => enterOnce({ activity: activity.id, user: me?.id ?? '' }, count),
    onSuccess: (told) => {
      client.setQueryData(chancesRead(activity.id, true).queryKey, (before) => ({
        ...before,
        ...told.chances,
      }));
      // The first entry brings one's number on the roll.
      void client.invalidateQueries({ queryKey: myKeys.chances(activity.id) });
      setEntries(1);
    },
  });
  if (!me && standing === 'running') {
    return (
      <Link to={signInPath(pathname)} className="button gold">
        {t('stage.signIn')}
      </Link>
    );
  }
  if (!me) return null;
  if (!chances) return <p className="chances">{t('loading')}</p>;
  const most = Math.min(ENTRIES_MAX, chances.left);
  return (
    <div className="entry">
      <p className="chances" data-testid="chances">
        <b>{t('raffle.entered', { count: chances.drawn })}</b>
        {standing === 'running' && <small>{t('raffle.left', { count: chances.left })}</small>}
      </p>
      {standing === 'running' && most > 0 && (
        <div className="entry-row">
          <label>
            <span className="unseen">{t('raffle.howMany')}</span>
            <select value={entries} onChange={(event) => setEntries(Number(event.target.value))}>
              {Array.from({ length: most }, (_, before) => before + 1).map((count) => (
                <option key={count} value={count}>
                  {t('raffle.times', { count })}
                </option>
              ))}
            </select>
          </label>
          <button
            type="button"
            className="button gold"
            aria-disabled={entering.isPending}
            // The second half of a double click is not a second wish.
            onClick={({ detail }) => detail < 2 && !entering.isPending && entering.mutate(entries)}
          >
            {entering.isPending ? t('wait') : t('raffle.enter')}
          </button>
        </div>
      )}
      <p role="status" aria-live="polite" className="entry-told">
        {entering.data ? t('raffle.thanks') : ''}
      </p>
      <Refused error={entering.error} />
    </div>
  );
}

interface ProgressProps {
  raffle: RaffleStateBody;
  /** One's own number on the roll. */
  player: number | undefined;
  /** The name of what one won. */
  won: string | undefined;
}

/** Where the drawing is. */
function Progress({ raffle, player, won }: ProgressProps) {
  const { t, language } = useText();
  const counted = (key: Word, count: number) => t(key, { count, number: formatNumber(count, language) });
  return (
    <section className="section">
      <h2>{t('raffle.title')}</h2>
      <div className="card">
        <p>{t(`raffle.state.${raffle.state}`)}</p>
        {raffle.state !== 'drawn' && <Countdown to={raffle.draw_at_ms} label={t('raffle.drawnIn')} />}
        {raffle.roll && (
          <p className="quiet">
            {t('raffle.roll', {
              people: counted('raffle.people', raffle.roll.entrants),
              entries: counted('raffle.entries', raffle.roll.entries),
            })}
          </p>
        )}
        {player !== undefined && <p className="quiet">{t('raffle.player', { number: player })}</p>}
        {won !== undefined && <p className="entry-told">{t('raffle.won', { prize: won })}</p>}
        {raffle.beacon && <p className="quiet">{t('raffle.beacon', { name: raffle.beacon })}</p>}
        {raffle.drawn_at_ms != null && (
          <p className="quiet">{t('raffle.drawnAt', { when: formatMoment(raffle.drawn_at_ms, language) })}</p>
        )}
        <details>
          <summary>{t('raffle.published')}</summary>
          <dl className="hashes">
            <dt>{t('fair.commitment')}</dt>
            <dd>{raffle.commitment}</dd>
            {raffle.roll && (
              <>
                <dt>{t('raffle.rollHash')}</dt>
                <dd>{raffle.roll.hash}</dd>
              </>
            )}
            {raffle.secret && (
              <>
                <dt>{t('fair.secret')}</dt>
                <dd>{raffle.secret}</dd>
              </>
            )}
          </dl>
        </details>
        {raffle.state === 'drawn' && <DrawAgain raffle={raffle} />}
      </div>
      {raffle.winners.length > 0 && (
        <>
          <h2>{t('raffle.winners', { count: raffle.winner_count })}</h2>
          <WinnerList raffle={raffle} />
        </>
      )}
    </section>
  );
}

/** The first hundred came with the raffle; the others when somebody wants to see them. */
function WinnerList({ raffle }: { raffle: RaffleStateBody }) {
  const { t } = useText();
  const [all, setAll] = useState(false);
  const query = useInfiniteQuery({ ...raffleWinnersRead(raffle.activity, raffle.round), enabled: all });
  const winners = query.data?.pages.flatMap((page) => page.items) ?? raffle.winners;
  return (
    <>
      <ul className="winners">
        {winners.map((winner) => (
          <li key={winner.n}>
            <Picture prize={winner.prize} size={28} />
            <b>{shownName(winner.name, t)}</b>
            <span>{winner.prize.name}</span>
          </li>
        ))}
      </ul>
      {!all && raffle.winner_count > raffle.winners.length && (
        <button type="button" className="button" onClick={() => setAll(true)}>
          {t('raffle.all', { count: raffle.winner_count })}
        </button>
      )}
      {all && query.error && <Failed error={query.error} retry={() => void query.refetch()} />}
      {all && <More query={query} />}
    </>
  );
}

/** Everybody who won, page by page, as the server tells it. */
async function allWinners({ activity, round }: RaffleStateBody): Promise<RaffleWinner[]> {
  const all: RaffleWinner[] = [];
  let after: string | undefined;
  do {
    const page = await ask((signal) =>
      api.GET('/play/activities/{id}/raffle/winners', {
        signal,
        params: { path: { id: activity }, query: { round, limit: 200, ...(after && { after }) } },
      }),
    );
    all.push(...page.items.map(({ prize, place, player }) => ({ prize: prize.id, place, player })));
    after = page.next ?? undefined;
  } while (after);
  return all;
}

/** Everything that is public, put together again: the same winners, all of them, or not. */
function DrawAgain({ raffle }: { raffle: RaffleStateBody }) {
  const { t, language } = useText();
  const check = useMutation({
    mutationFn: async () => {
      const answer = await fetch(
        `${API_ROOT}/play/activities/${raffle.activity}/raffle/roll?round=${raffle.round}`,
      );
      const roll = new Uint8Array(await answer.arrayBuffer());
      const secret = fromHex(raffle.secret ?? '');
      const beacon = raffle.beacon_value == null ? undefined : fromHex(raffle.beacon_value);
      const again = await drawRaffle(roll, secret, beacon);
      const told = await allWinners(raffle);
      const good =
        toHex(await sha256(roll)) === raffle.roll?.hash &&
        toHex(await sha256(secret)) === raffle.commitment &&
        again.length === raffle.winner_count &&
        sameWinners(again, told);
      return { good, checked: told.length };
    },
  });
  if (!canVerify()) return <p className="quiet">{t('fair.noCrypto')}</p>;
  return (
    <div className="verify">
      <button type="button" className="button" onClick={() => check.mutate()} disabled={check.isPending}>
        {t('raffle.again')}
      </button>
      <p role="status">
        {check.data?.good === true && (
          <span className="verdict good" data-testid="raffle-good">
            <Tick />{' '}
            {t('raffle.good', {
              count: check.data.checked,
              number: formatNumber(check.data.checked, language),
            })}
          </span>
        )}
        {check.data?.good === false && (
          <span className="verdict bad">
            <Cross /> {t('raffle.bad')}
          </span>
        )}
      </p>
      <Refused error={check.error} />
    </div>
  );
}
