// What runs now, live. A browser holds few connections to one site, so the busiest activities are followed by stream
// and the others are asked now and then.

import { useQuery } from '@tanstack/react-query';
import { useCallback, useMemo, useState } from 'react';
import { Link } from 'react-router';
import { API_ROOT, api, read } from '../../api/client';
import type { ActivityBody, OrderState } from '../../api/wire';
import { formatNumber } from '../../i18n';
import { activityKeys, approvalKeys, orderKeys, outboxKeys, siteKeys } from '../keys';
import { AttentionList } from '../parts/Attention';
import { money, State, Title, When } from '../parts/bits';
import { LiveDot } from '../parts/LiveDot';
import { Nothing, Read } from '../parts/states';
import { Tile } from '../parts/Tile';
import { useText } from '../text';
import { type Figures, LiveCard } from './LiveCard';
import { SaleLive } from './SaleLive';
import { Today } from './Today';

/** Streams at once: HTTP/1.1 allows six connections, and pages need some too. */
const STREAMS_MAX = 3;
const SHOWN_MAX = 12;

export default function Dashboard() {
  const { t } = useText();
  const running = useQuery({
    queryKey: activityKeys.running,
    queryFn: read((signal) =>
      api.GET('/activities', { params: { query: { state: 'running', limit: SHOWN_MAX } }, signal }),
    ),
    refetchInterval: 15_000,
  });
  return (
    <>
      <Title>{t('nav.dashboard')}</Title>
      <AttentionList />
      <Waiting />
      <Read from={running}>
        {({ items }) => (
          <>
            {items.length === 0 ? <Nothing text={t('dash.none')} /> : <Live activities={items} />}
            <Today running={items} />
          </>
        )}
      </Read>
    </>
  );
}

/** What waits for somebody: reviews, approvals, dead letters; and how far the database is behind. */
function Waiting() {
  const { t, language } = useText();
  const review = useQuery({
    queryKey: activityKeys.count('in_review'),
    queryFn: read((signal) =>
      api.GET('/activities', { params: { query: { state: 'in_review', limit: 200 } }, signal }),
    ),
    refetchInterval: 15_000,
  });
  const approvals = useQuery({
    queryKey: approvalKeys.waiting,
    queryFn: read((signal) =>
      api.GET('/admin/approvals', { params: { query: { state: 'waiting', limit: 200 } }, signal }),
    ),
    refetchInterval: 15_000,
  });
  const dead = useQuery({
    queryKey: outboxKeys.letterCount,
    queryFn: read((signal) => api.GET('/outbox/dead-letters', { params: { query: { limit: 200 } }, signal })),
    refetchInterval: 15_000,
  });
  const unpaid = useOrders('unpaid');
  const due = useOrders('refund_due');
  const ledger = useQuery({
    queryKey: siteKeys.ledger,
    queryFn: read((signal) => api.GET('/admin/ledger', { signal })),
    refetchInterval: 5000,
  });
  const count = (page: { items: unknown[]; next?: string | null } | undefined) =>
    page === undefined ? '—' : `${formatNumber(page.items.length, language)}${page.next ? '+' : ''}`;
  return (
    <dl className="tiles">
      <Tile
        label={t('dash.inReview')}
        value={<Link to="/activities?state=in_review">{count(review.data)}</Link>}
      />
      <Tile label={t('dash.approvals')} value={<Link to="/approvals">{count(approvals.data)}</Link>} />
      <Tile label={t('dash.unpaid')} value={<Link to="/orders?state=unpaid">{count(unpaid.data)}</Link>} />
      <Tile
        label={t('dash.refundDue')}
        value={<Link to="/orders?state=refund_due">{count(due.data)}</Link>}
      />
      <Tile
        label={t('nav.deadLetters')}
        value={<Link to="/dead-letters">{count(dead.data)}</Link>}
        bad={(dead.data?.items.length ?? 0) > 0}
      />
      <Tile
        label={t('run.lag')}
        value={<Link to="/ledger">{ledger.data ? formatNumber(ledger.data.lag, language) : '—'}</Link>}
        bad={(ledger.data?.lag ?? 0) > 100_000}
      />
      <Tile
        label={t('ledger.differences')}
        value={
          <Link to="/ledger">{ledger.data ? formatNumber(ledger.data.differences, language) : '—'}</Link>
        }
        bad={(ledger.data?.differences ?? 0) > 0}
      />
    </dl>
  );
}

/** Orders in a state, as many as one page has. */
function useOrders(state: OrderState) {
  return useQuery({
    queryKey: orderKeys.count(state),
    queryFn: read((signal) => api.GET('/admin/orders', { params: { query: { state, limit: 200 } }, signal })),
    refetchInterval: 10_000,
  });
}

function Live({ activities }: { activities: ActivityBody[] }) {
  const { t, language } = useText();
  const [figures, setFigures] = useState<Record<string, Figures>>({});
  const tell = useCallback((id: string, told: Figures) => setFigures((old) => ({ ...old, [id]: told })), []);
  // Raffles last: streams are few, and what is summed above the cards has them first.
  const draws = useMemo(
    () => [
      ...activities.filter((one) => one.kind === 'instant'),
      ...activities.filter((one) => one.kind === 'raffle'),
    ],
    [activities],
  );
  // An entry to a raffle is no draw: raffles have their cards, and are not in these sums.
  const instant = useMemo(() => draws.filter((one) => one.kind !== 'raffle'), [draws]);
  const all = Object.entries(figures)
    .filter(([id]) => instant.some((one) => one.id === id))
    .map(([, told]) => told);
  const sum = (pick: (told: Figures) => number) => all.reduce((total, told) => total + pick(told), 0);
  const stream = all.find(({ state }) => state !== 'live')?.state ?? (all.length > 0 ? 'live' : 'connecting');
  return (
    <>
      <div className="row-between">
        <h2>{t('dash.live')}</h2>
        <LiveDot state={stream} />
      </div>
      <dl className="tiles">
        <Tile label={t('run.rate')} value={sum(({ rate }) => rate).toFixed(1)} />
        <Tile
          label={t('run.draws')}
          value={formatNumber(
            sum(({ live }) => live.draws),
            language,
          )}
        />
        <Tile
          label={t('run.wins')}
          value={formatNumber(
            sum(({ live }) => live.wins),
            language,
          )}
        />
        <Tile
          label={t('dash.stock')}
          value={formatNumber(
            sum(({ live }) => live.left.reduce((total, one) => total + one.left, 0)),
            language,
          )}
        />
        <Tile
          label={t('run.cost')}
          value={money(
            sum(({ live }) => live.cost_minor),
            language,
          )}
        />
      </dl>
      <div className="cards">
        {activities
          .filter((one) => one.kind === 'sale')
          .map((one) => (
            <SaleLive key={one.id} activity={one}>
              <CardHead activity={one} />
            </SaleLive>
          ))}
        {draws.map((one, at) => (
          <LiveCard
            key={one.id}
            activity={one}
            stream={at < STREAMS_MAX}
            tell={tell}
            url={`${API_ROOT}/activities/${one.id}/live`}
          >
            <CardHead activity={one} />
          </LiveCard>
        ))}
      </div>
    </>
  );
}

function CardHead({ activity }: { activity: ActivityBody }) {
  const { t } = useText();
  return (
    <>
      <Link to={`/activities/${activity.id}`}>{activity.name}</Link> <State name={activity.state} />
      <p className="soft fine">
        {t('act.until')} <When ms={activity.until_ms} />
      </p>
    </>
  );
}
