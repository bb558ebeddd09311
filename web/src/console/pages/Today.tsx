// What today came to: everything that runs or ended since midnight. It is read now and then, and says when.
import { useQuery } from '@tanstack/react-query';
import type { EChartsOption } from 'echarts';
import { useMemo } from 'react';
import { Link } from 'react-router';
import { api, read } from '../../api/client';
import type { ActivityBody, HourBody } from '../../api/wire';
import { formatNumber, formatShort, type Language } from '../../i18n';
import { serverNow } from '../../time/clock';
import { wholeReport } from '../activity/useReport';
import { activityKeys } from '../keys';
import { byHour, sumSince } from '../logic/curves';
import { formatExact, money, When } from '../parts/bits';
import { Chart } from '../parts/Chart';
import { colourOf } from '../parts/colours';
import { Tile } from '../parts/Tile';
import { useText } from '../text';

const READ_EVERY_MS = 30_000;
/** Activities that ended today and are counted. */
const ENDED_MAX = 50;

/** Midnight on the reader's clock. */
function midnight(): number {
  return new Date(serverNow()).setHours(0, 0, 0, 0);
}

export function Today({ running }: { running: readonly ActivityBody[] }) {
  const { t, language } = useText();
  const since = midnight();
  const ended = useQuery({
    queryKey: activityKeys.endedToday(since),
    queryFn: read((signal) =>
      api.GET('/activities', { params: { query: { ended_from_ms: since, limit: ENDED_MAX } }, signal }),
    ),
    refetchInterval: READ_EVERY_MS,
  });
  const over = ended.data?.items;
  // An entry to a raffle is no draw, and a sale has orders.
  const counted = useMemo(
    () => [...running, ...(over ?? [])].filter((one) => one.kind === 'instant'),
    [running, over],
  );
  const hours = useQuery({
    queryKey: activityKeys.day(counted.map((one) => one.id)),
    queryFn: ({ signal }) =>
      Promise.all(counted.map(async (one) => (await wholeReport(one.id, signal)).hours)),
    refetchInterval: READ_EVERY_MS,
    enabled: ended.isSuccess,
  });
  const sum = sumSince((hours.data ?? []).flat(), since);
  const chart = useMemo(
    () => chartOf(counted, hours.data ?? [], since, language),
    [counted, hours.data, since, language],
  );
  const ends = over ?? [];
  if (counted.length === 0 && ends.length === 0) return null;
  const n = (count: number) => formatNumber(count, language);
  return (
    <section aria-label={t('dash.today')}>
      <h2>{t('dash.today')}</h2>
      <p className="soft fine">
        {t('dash.todayHelp', { at: hours.dataUpdatedAt ? formatExact(hours.dataUpdatedAt, language) : '…' })}
      </p>
      <dl className="tiles">
        <Tile label={t('run.draws')} value={n(sum.draws)} />
        <Tile label={t('run.wins')} value={n(sum.wins)} />
        <Tile label={t('run.cost')} value={money(sum.cost, language)} />
        <Tile label={t('dash.endedToday')} value={n(ends.length)} />
      </dl>
      {counted.length > 0 && (
        <section className="panel">
          <h3 className="section-title">{t('dash.day')}</h3>
          <Chart option={chart} label={t('dash.day')} height={280} zoom />
        </section>
      )}
      {ends.length > 0 && (
        <ul>
          {ends.map((one) => (
            <li key={one.id}>
              <Link to={`/activities/${one.id}`}>{one.name}</Link>{' '}
              <span className="soft">
                {t('act.ended')} <When ms={one.ended_ms} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function chartOf(
  activities: readonly ActivityBody[],
  hours: readonly HourBody[][],
  since: number,
  language: Language,
): EChartsOption {
  return {
    grid: { left: 48, right: 16, top: 40, bottom: 28 },
    legend: { top: 0 },
    tooltip: { trigger: 'axis' },
    xAxis: {
      type: 'time',
      min: since,
      max: serverNow(),
      axisLabel: { formatter: (ms: number) => formatShort(ms, language), hideOverlap: true },
    },
    yAxis: { type: 'value', minInterval: 1 },
    series: activities.map((one, place) => ({
      name: one.name,
      type: 'bar',
      stack: 'draws',
      color: colourOf(place),
      barMaxWidth: 28,
      data: byHour(hours[place] ?? [])
        .filter((row) => row.at >= since)
        .map((row) => [row.at, row.draws]),
    })),
  };
}
