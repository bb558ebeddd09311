import { useQuery } from '@tanstack/react-query';
import { Progress } from 'antd';
import { type ReactNode, useEffect, useMemo } from 'react';
import { api, read } from '../../api/client';
import type { ActivityBody, LiveBody, ReportBody } from '../../api/wire';
import { formatNumber } from '../../i18n';
import { useStream } from '../../live/useStream';
import { useRate } from '../activity/useReport';
import { activityKeys } from '../keys';
import { money } from '../parts/bits';
import type { Freshness } from '../parts/LiveDot';
import { useText, type Word } from '../text';

/** What a card tells the page of its activity. */
export interface Figures {
  live: LiveBody;
  rate: number;
  state: Freshness;
}

interface Props {
  activity: ActivityBody;
  stream: boolean;
  url: string;
  tell: (id: string, told: Figures) => void;
  children: ReactNode;
}

/** One running activity: its figures, and how much of each prize is left. */
export function LiveCard(props: Props) {
  return props.stream ? <Streamed {...props} /> : <Asked {...props} />;
}

function useReport(id: string, everyMs: number) {
  return useQuery({
    queryKey: activityKeys.reportHead(id),
    queryFn: read((signal) => api.GET('/activities/{id}/report', { params: { path: { id } }, signal })),
    refetchInterval: everyMs,
  });
}

function Streamed(props: Props) {
  const { value, state } = useStream<LiveBody>(props.url, 'figures');
  const { data } = useReport(props.activity.id, 60_000);
  return <Card {...props} live={value} state={state} report={data} />;
}

function Asked(props: Props) {
  const { data } = useReport(props.activity.id, 5000);
  const live = useMemo(() => data && figuresOf(data), [data]);
  return <Card {...props} live={live} state="polled" report={data} />;
}

function figuresOf(report: ReportBody): LiveBody {
  return {
    ...report.funnel,
    cost_minor: report.cost.total_minor,
    points: report.cost.points,
    left: report.prizes.flatMap(({ id, left }) => (left == null ? [] : [{ prize: id, left }])),
    lag: 0,
    refusals: [],
  };
}

interface CardProps extends Props {
  live: LiveBody | undefined;
  state: Figures['state'];
  report: ReportBody | undefined;
}

function Card({ activity, live, state, report, tell, children }: CardProps) {
  const { t, language } = useText();
  const rate = useRate(live?.draws);
  useEffect(() => {
    if (live) tell(activity.id, { live, rate, state });
  }, [activity.id, live, rate, state, tell]);
  const counted = (key: Word, count: number) => t(key, { count, number: formatNumber(count, language) });
  return (
    <section className="panel card" aria-label={activity.name}>
      {children}
      <p className="number">
        {[
          counted(activity.kind === 'raffle' ? 'dash.entries' : 'dash.draws', live?.draws ?? 0),
          counted('dash.wins', live?.wins ?? 0),
          t('dash.cost', { cost: money(live?.cost_minor ?? 0, language) }),
          t('dash.rate', { rate: rate.toFixed(1) }),
        ].join(' · ')}
      </p>
      {(live?.left ?? []).map(({ prize, left }) => {
        const known = report?.prizes.find(({ id }) => id === prize);
        const total = known?.total ?? left;
        return (
          <div key={prize} className="stock">
            <span>{known?.name ?? prize}</span>
            <span className="number soft">
              {formatNumber(left, language)} / {formatNumber(total, language)}
            </span>
            <Progress
              percent={total > 0 ? Math.round((100 * left) / total) : 0}
              showInfo={false}
              size="small"
              aria-label={known?.name ?? String(prize)}
              status={left === 0 ? 'exception' : 'normal'}
            />
          </div>
        );
      })}
    </section>
  );
}
