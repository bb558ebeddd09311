// How many came, how many came again, and what they did: day by day, and over the days that one chooses.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Alert, Button, Input } from 'antd';
import type { EChartsOption } from 'echarts';
import { type ReactNode, useId, useMemo } from 'react';
import { api, read } from '../../api/client';
import type { RetentionBody, StatisticsDayBody, StatisticsDaysBody } from '../../api/wire';
import { formatNumber } from '../../i18n';
import { statisticsKeys } from '../keys';
import { isEmpty, shareOf, shiftDay, sumsOf, togetherOf } from '../logic/statistics';
import { Count, Title } from '../parts/bits';
import { Chart } from '../parts/Chart';
import { colourOf } from '../parts/colours';
import { Csv, queryOf, useFilters } from '../parts/Filter';
import { About, Share } from '../parts/figures';
import { Scroll } from '../parts/Scroll';
import { Nothing, Read } from '../parts/states';
import { Tile } from '../parts/Tile';
import { type Say, useText } from '../text';

/** What is counted as it happens is written once a minute. */
const EVERY_MS = 60_000;
/** Ranges up to today at a click. */
const RANGES = [7, 28, 90, 365];

type Days = ReturnType<typeof queryOf<'from' | 'to'>>;

export default function Statistics() {
  const { t } = useText();
  const [get, , choose] = useFilters();
  const query = queryOf(get, ['from', 'to']);
  const days = useQuery({
    queryKey: statisticsKeys.days(query),
    queryFn: read((signal) => api.GET('/admin/statistics/daily', { params: { query }, signal })),
    refetchInterval: EVERY_MS,
    placeholderData: keepPreviousData,
  });
  const chooseLast = (n: number) => days.data && choose({ from: shiftDay(days.data.today, 1 - n), to: '' });
  const first = get('from') || days.data?.days.at(0)?.day || '';
  const last = get('to') || days.data?.days.at(-1)?.day || '';
  return (
    <>
      <Title extra={<Csv path="/admin/statistics/daily.csv" query={query} label={t('stat.csv')} />}>
        {t('nav.statistics')}
      </Title>
      <fieldset className="row table-tools plain-set">
        <legend className="unseen">{t('stat.range')}</legend>
        <Day label={t('stat.from')} value={first} change={(from) => choose({ from })} />
        <Day label={t('stat.to')} value={last} change={(to) => choose({ to })} />
        {RANGES.map((n) => (
          <Button key={n} size="small" disabled={!days.data} onClick={() => chooseLast(n)}>
            {t('stat.last', { n })}
          </Button>
        ))}
      </fieldset>
      <Read from={days}>{(data) => <Shown report={data} query={query} />}</Read>
    </>
  );
}

function Day({ label, value, change }: { label: string; value: string; change: (day: string) => void }) {
  const id = useId();
  return (
    <span className="row">
      <label htmlFor={id}>{label}</label>
      <Input id={id} type="date" value={value} onChange={(event) => change(event.target.value)} />
    </span>
  );
}

function Shown({ report, query }: { report: StatisticsDaysBody; query: Days }) {
  const { t, language } = useText();
  const { days } = report;
  const [from, to] = [days.at(0)?.day ?? '', days.at(-1)?.day ?? ''];
  const charts = useMemo(() => chartsOf(days, t), [days, t]);
  const range = useQuery({
    queryKey: statisticsKeys.range(query),
    queryFn: read((signal) => api.GET('/admin/statistics/visitors', { params: { query }, signal })),
    refetchInterval: EVERY_MS,
    placeholderData: keepPreviousData,
  });
  const sums = sumsOf(days);
  const once = <small>{t('stat.once')}</small>;
  const n = (count: number) => formatNumber(count, language);
  return (
    <>
      {!report.enabled && <Alert type="warning" showIcon title={t('stat.off')} className="gap-bottom" />}
      {isEmpty(days) ? (
        <Nothing text={t('stat.none')}>
          <p className="soft">{t('stat.noneHelp')}</p>
        </Nothing>
      ) : (
        <>
          <Read from={range}>
            {({ visitors, visitors_exact, people }) => (
              <dl className="tiles">
                <Tile
                  label={t('stat.visitors')}
                  value={<About n={visitors} exact={visitors_exact} />}
                  note={once}
                />
                <Tile label={t('stat.people')} value={n(people)} note={once} />
                <Tile label={t('stat.newPeople')} value={n(sums.new_people)} />
                <Tile label={t('stat.posts')} value={n(sums.posts)} />
                <Tile label={t('stat.draws')} value={n(sums.draws)} />
                <Tile label={t('stat.orders')} value={n(sums.orders)} />
                <Tile label={t('stat.paid')} value={n(sums.paid)} />
              </dl>
            )}
          </Read>
          <div className="two gap-bottom">
            <Panel title={t('stat.whoCame')}>
              <Chart option={charts.who} label={t('stat.whoChart', { from, to })} height={280} />
            </Panel>
            <Panel title={t('stat.whatHappened')}>
              <Chart option={charts.what} label={t('stat.whatChart', { from, to })} height={280} />
            </Panel>
          </div>
          <Retention query={query} />
          <ByDay report={report} />
        </>
      )}
      <Meaning errorBasisPoints={report.error_basis_points} />
    </>
  );
}

function Panel({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="panel">
      <h2 className="section-title">{title}</h2>
      {children}
    </section>
  );
}

function chartsOf(days: readonly StatisticsDayBody[], t: Say): { who: EChartsOption; what: EChartsOption } {
  const frame: EChartsOption = {
    grid: { left: 52, right: 16, top: 36, bottom: 28 },
    legend: { top: 0 },
    tooltip: { trigger: 'axis' },
    xAxis: { type: 'category', data: days.map(({ day }) => day), axisLabel: { hideOverlap: true } },
    yAxis: { type: 'value', minInterval: 1 },
  };
  const one = (
    type: 'line' | 'bar',
    name: string,
    place: number,
    pick: (day: StatisticsDayBody) => number,
  ) => ({
    name,
    type,
    color: colourOf(place),
    ...(type === 'bar' ? { barMaxWidth: 16 } : { showSymbol: days.length < 40 }),
    data: days.map(pick),
  });
  return {
    who: {
      ...frame,
      series: [
        one('line', t('stat.visitors'), 3, (day) => day.visitors),
        one('line', t('stat.people'), 2, (day) => day.people),
        one('line', t('stat.newPeople'), 1, (day) => day.new_people),
      ],
    },
    what: {
      ...frame,
      series: [
        one('bar', t('stat.posts'), 4, (day) => day.posts),
        one('bar', t('stat.draws'), 0, (day) => day.draws),
        one('bar', t('stat.orders'), 3, (day) => day.orders),
        one('bar', t('stat.paid'), 2, (day) => day.paid),
      ],
    },
  };
}

function Retention({ query }: { query: Days }) {
  const { t } = useText();
  const retention = useQuery({
    queryKey: statisticsKeys.retention(query),
    queryFn: read((signal) => api.GET('/admin/statistics/retention', { params: { query }, signal })),
    refetchInterval: EVERY_MS,
    placeholderData: keepPreviousData,
  });
  return (
    <Scroll className="panel scroll gap-bottom">
      <h2 className="section-title">{t('stat.retention')}</h2>
      <p className="soft">{t('stat.retentionSays')}</p>
      <Read from={retention}>
        {(data) =>
          data.cohorts.length === 0 ? <Nothing text={t('stat.noRetention')} /> : <Cohorts report={data} />
        }
      </Read>
    </Scroll>
  );
}

function Cohorts({ report: { cohorts } }: { report: RetentionBody }) {
  const { t } = useText();
  const together = togetherOf(cohorts);
  return (
    <table className="plain-table" data-testid="retention">
      <thead>
        <tr>
          <th>{t('stat.newOn')}</th>
          <th className="right">{t('stat.newPeople')}</th>
          {together.map(({ after }) => (
            <th key={after} className="right">
              {t('stat.after', { count: after })}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        <tr>
          <th scope="row">{t('stat.all')}</th>
          <td className="right">
            <Count n={cohorts.reduce((sum, { new_people }) => sum + new_people, 0)} />
          </td>
          {together.map(({ after, people, of }) => (
            <td key={after} className="right">
              <Share of={shareOf(people, of)} />
            </td>
          ))}
        </tr>
        {cohorts.map(({ day, new_people, again }) => (
          <tr key={day}>
            <th scope="row">{day}</th>
            <td className="right">
              <Count n={new_people} />
            </td>
            {again.map(({ after_days, people }) => (
              <td key={after_days} className="right">
                <Share of={people == null ? undefined : shareOf(people, new_people)} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function ByDay({ report: { days, today } }: { report: StatisticsDaysBody }) {
  const { t } = useText();
  const figures = ['people', 'new_people', 'posts', 'draws', 'orders', 'paid'] as const;
  return (
    <Scroll className="panel scroll gap-bottom">
      <h2 className="section-title">{t('stat.days')}</h2>
      <table className="plain-table" data-testid="days">
        <thead>
          <tr>
            <th>{t('stat.day')}</th>
            <th className="right">{t('stat.visitors')}</th>
            <th className="right">{t('stat.people')}</th>
            <th className="right">{t('stat.newPeople')}</th>
            <th className="right">{t('stat.posts')}</th>
            <th className="right">{t('stat.draws')}</th>
            <th className="right">{t('stat.orders')}</th>
            <th className="right">{t('stat.paid')}</th>
          </tr>
        </thead>
        <tbody>
          {[...days].reverse().map((day) => (
            <tr key={day.day}>
              <th scope="row">
                {day.day} {day.day === today && <span className="soft fine">{t('stat.unfinished')}</span>}
              </th>
              <td className="right">
                <About n={day.visitors} exact={day.visitors_exact} />
              </td>
              {figures.map((name) => (
                <td key={name} className="right">
                  <Count n={day[name]} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}

/** Each figure in words, with its error. */
function Meaning({ errorBasisPoints }: { errorBasisPoints: number }) {
  const { t, language } = useText();
  const error = formatNumber(errorBasisPoints / 100, language);
  return (
    <section className="panel">
      <h2 className="section-title">{t('stat.meaning')}</h2>
      <dl className="meanings">
        <dt>{t('stat.visitors')}</dt>
        <dd>{t('stat.visitorsMeaning', { error })}</dd>
        <dt>{t('stat.people')}</dt>
        <dd>{t('stat.peopleMeaning')}</dd>
        <dt>{t('stat.newPeople')}</dt>
        <dd>{t('stat.newPeopleMeaning')}</dd>
        <dt>{t('stat.whatHappened')}</dt>
        <dd>{t('stat.rowsMeaning')}</dd>
        <dt>{t('stat.day')}</dt>
        <dd>{t('stat.dayMeaning')}</dd>
      </dl>
    </section>
  );
}
