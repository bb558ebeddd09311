import { useQuery, useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { Link } from 'react-router';
import type { PlayRowBody, SaleBody } from '../../api/wire';
import { formatMoment, formatNumber } from '../../i18n';
import { serverNow } from '../../time/clock';
import { useNow } from '../../time/useNow';
import { myKeys } from '../keys';
import { Chevron } from '../parts/art';
import { Countdown } from '../parts/Countdown';
import { SaleSessions } from '../parts/SaleSessions';
import { Empty, Failed, Loading } from '../parts/states';
import { useTitle } from '../parts/useTitle';
import {
  activitiesRead,
  chancesRead,
  pointsRead,
  salesRead,
  unpaidOrdersRead,
  waitingWinsRead,
} from '../reads';
import { useSession } from '../session';
import { nextTurn, type Standing, standingOf } from '../standing';
import { useText } from '../text';
import styles from './Home.module.css';

type Row = PlayRowBody;

/** Drawn a moment after the first page is there, which stays small for it. */
const ActivityArt = lazy(() => import('../parts/ActivityArt'));

/** What runs now, what starts soon, and what is over. */
export function Home() {
  const { t } = useText();
  const { me } = useSession();
  useTitle();
  const { data, error, isPending, refetch } = useQuery(activitiesRead);
  const sales = useQuery(salesRead);
  return (
    <>
      <section className="hero">
        <Lanterns />
        <h1>{t('home.title')}</h1>
        <p>{t('home.text')}</p>
      </section>
      {me && <Mine rows={data?.items ?? []} />}
      {(isPending || sales.isPending) && <Loading />}
      {!data && error && <Failed error={error} retry={() => void refetch()} />}
      {data && !sales.isPending && (
        <Lists rows={data.items.filter((row) => row.kind !== 'sale')} sales={sales.data?.items ?? []} />
      )}
    </>
  );
}

/** What I have, and what waits for me. */
function Mine({ rows }: { rows: Row[] }) {
  const { t, language } = useText();
  const points = useQuery(pointsRead).data?.balance;
  const waiting = useQuery(waitingWinsRead(true)).data ?? 0;
  const unpaid = useQuery(unpaidOrdersRead(true)).data?.items ?? [];
  const [first] = [...unpaid].sort((a, b) => a.due_ms - b.due_ms);
  const now = useNow(first?.due_ms ?? 0);
  const games = rows.filter((row) => row.kind === 'instant' && standingOf(row, now) === 'running');
  const client = useQueryClient();
  const ids = games.map(({ id }) => id);
  const { data: left = 0 } = useQuery({
    queryKey: myKeys.chancesLeft(ids.join()),
    // Each is asked for by its card too: together they ask once, and each with a signal of its own.
    queryFn: async () => {
      const all = await Promise.all(ids.map((id) => client.ensureQueryData(chancesRead(id, true))));
      return all.reduce((sum, one) => sum + one.left, 0);
    },
    enabled: ids.length > 0,
    staleTime: 0,
  });
  return (
    <ul className={styles.mine} aria-label={t('home.mine')}>
      {first && now < first.due_ms && (
        <li className={styles.first}>
          <Link
            to={unpaid.length > 1 ? '/me/orders' : `/orders/${first.id}`}
            className={styles.waiting}
            data-testid="unpaid"
          >
            <b>{unpaid.length}</b> {t('home.toPay', { count: unpaid.length })}
            <Countdown to={first.due_ms} label="" />
          </Link>
        </li>
      )}
      {left > 0 && (
        <li>
          <a href="#running">
            <b>{formatNumber(left, language)}</b> {t('home.chancesLeft', { count: left })}
          </a>
        </li>
      )}
      {points !== undefined && (
        <li>
          <Link to="/me/points">
            <b>{formatNumber(points, language)}</b> {t('home.points', { count: points })}
          </Link>
        </li>
      )}
      <li>
        <Link to="/me/wins" className={waiting > 0 ? styles.waiting : undefined}>
          <b>{waiting}</b> {t('home.toClaim', { count: waiting })}
        </Link>
      </li>
    </ul>
  );
}

function Lists({ rows, sales }: { rows: Row[]; sales: SaleBody[] }) {
  const { t } = useText();
  // Drawn anew when the next of them begins or ends, so that everything moves to its list by itself.
  const turns = [...rows, ...sales].map((one) => nextTurn(one, serverNow()));
  const now = useNow(Math.min(...turns.filter((turn) => turn !== undefined)));
  const of = (...standings: Standing[]) => rows.filter((row) => standings.includes(standingOf(row, now)));
  const [running, soon, over] = [of('running', 'paused'), of('soon'), of('over')];
  if (rows.length + sales.length === 0) return <Empty title={t('home.empty')}>{t('home.emptyText')}</Empty>;
  return (
    <>
      <SaleSessions sales={sales} now={now} />
      <List id="running" title={t('home.running')} rows={running} empty={t('home.nothingRunning')} />
      {soon.length > 0 && <List title={t('home.soon')} rows={soon.sort((a, b) => a.from_ms - b.from_ms)} />}
      {over.length > 0 && <List title={t('home.over')} rows={over} />}
    </>
  );
}

interface ListProps {
  id?: string;
  title: string;
  rows: Row[];
  empty?: string;
}

function List({ id, title, rows, empty }: ListProps) {
  return (
    <section className="section" id={id}>
      <h2>{title}</h2>
      {rows.length === 0 && empty && <p className="quiet">{empty}</p>}
      <ul className="cards">
        {rows.map((row) => (
          <li key={row.id}>
            <Card row={row} />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Faces of activities differ, so that one is found again by its look. */
const TONES = 4;
const toneOf = (id: string): number => Number(id.slice(-6)) % TONES;

function Card({ row }: { row: Row }) {
  const { t, language } = useText();
  const { me } = useSession();
  const now = useNow(row.from_ms);
  const standing = standingOf(row, now);
  return (
    <Link to={`/activities/${row.id}`} className={`activity ${standing}`}>
      <Suspense fallback={<span className="activity-face" data-tone={toneOf(row.id)} />}>
        <ActivityArt row={row} tone={toneOf(row.id)} />
      </Suspense>
      <span className="activity-words">
        <b>{row.name}</b>
        <small>
          {t(row.kind === 'raffle' ? 'kind.raffle' : 'kind.instant')}
          {me && standing === 'running' && <Chances activity={row.id} raffle={row.kind === 'raffle'} />}
          {standing === 'paused' && ` · ${t('state.paused')}`}
          {standing === 'over' && ` · ${t('state.over')}`}
        </small>
        {standing === 'soon' && <Countdown to={row.from_ms} label={t('home.startsIn')} />}
        {standing === 'running' && <Countdown to={row.until_ms} label={t('home.endsIn')} />}
        {standing === 'over' && row.until_ms <= now && <small>{formatMoment(row.until_ms, language)}</small>}
      </span>
      <Chevron />
    </Link>
  );
}

/** How often I may still draw or enter there; nothing once it is spent. */
function Chances({ activity, raffle }: { activity: string; raffle: boolean }) {
  const { t } = useText();
  const left = useQuery(chancesRead(activity, true)).data?.left ?? 0;
  if (left === 0) return null;
  return <em className="badge">{t(raffle ? 'home.entries' : 'home.chances', { count: left })}</em>;
}

/** Lanterns over the first page, swaying a little. */
function Lanterns() {
  return (
    <svg viewBox="0 0 320 120" className="lanterns" aria-hidden="true" focusable="false">
      <path d="M0 14C80 34 240 34 320 10" className="string" />
      {[
        [58, 26, 0.9],
        [160, 29, 1.15],
        [262, 22, 0.85],
      ].map(([x = 0, y = 0, scale = 1]) => (
        <g key={x} transform={`translate(${x} ${y}) scale(${scale})`}>
          <g className="lantern">
            <path d="M0 0v8" className="string" />
            <rect x="-9" y="8" width="18" height="5" rx="2" className="cap" />
            <ellipse cx="0" cy="31" rx="21" ry="18.5" className="paper" />
            <path d="M-8 14c-7 10-7 24 0 34M8 14c7 10 7 24 0 34M0 13v36" className="rib" />
            <rect x="-9" y="48" width="18" height="5" rx="2" className="cap" />
            <path d="M-4 53v11M0 53v15M4 53v11" className="tassel" />
          </g>
        </g>
      ))}
    </svg>
  );
}
