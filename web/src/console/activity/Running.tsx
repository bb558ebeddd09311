// How an activity runs: live figures by stream, the report by hour, stock against plan, and the switches for prizes.
import { useQuery } from '@tanstack/react-query';
import type { EChartsOption } from 'echarts';
import { useEffect, useMemo, useState } from 'react';
import { API_ROOT, api, ask, freshId } from '../../api/client';
import type { DetailBody, HourBody, LiveBody, ReportBody } from '../../api/wire';
import { formatNumber, formatShort, type Language, useText } from '../../i18n';
import { useStream } from '../../live/useStream';
import { serverNow } from '../../time/clock';
import { byHour, depletion, perSecond, planned, remember, type Seen } from '../logic/curves';
import { draftOf } from '../logic/draft';
import { Act, asNumber, asText, reasonField } from '../parts/Act';
import { Count, Money, money, State } from '../parts/bits';
import { Chart } from '../parts/Chart';
import { LiveDot } from '../parts/LiveDot';
import { Scroll } from '../parts/Scroll';
import { Read } from '../parts/states';
import { Tile } from '../parts/Tile';
import { useMay } from '../session/session';

const RATE_SPAN_MS = 15_000;
/** Pages of hours that are fetched for the charts at most. */
const HOUR_PAGES_MAX = 20;

/** The report with all its hours. */
export async function wholeReport(id: string): Promise<ReportBody> {
  const hours: HourBody[] = [];
  let from: number | undefined;
  for (let page = 0; ; page += 1) {
    const query = from === undefined ? {} : { from_ms: from };
    const report = await ask((signal) =>
      api.GET('/activities/{id}/report', { params: { path: { id }, query }, signal }),
    );
    hours.push(...report.hours);
    from = report.next_from_ms ?? undefined;
    if (from === undefined || page + 1 >= HOUR_PAGES_MAX) return { ...report, hours };
  }
}

export function useRate(count: number | undefined): number {
  const [seen, setSeen] = useState<Seen[]>([]);
  useEffect(() => {
    if (count === undefined) return;
    setSeen((old) => remember(old, { at: Date.now(), count }, RATE_SPAN_MS));
  }, [count]);
  return perSecond(seen);
}

export function Running({ detail }: { detail: DetailBody }) {
  const { t } = useText();
  const may = useMay();
  const report = useQuery({
    queryKey: ['report', detail.id],
    queryFn: () => wholeReport(detail.id),
    refetchInterval: detail.state === 'running' ? 15_000 : false,
  });
  return (
    <>
      {['running', 'paused'].includes(detail.state) && <Live id={detail.id} report={report.data} />}
      <Read from={report}>{(data) => <Report detail={detail} report={data} />}</Read>
      <p className="row">
        <a href={`${API_ROOT}/activities/${detail.id}/draws.csv`} download>
          {t('run.drawsCsv')}
        </a>
        <a
          href={`${API_ROOT}/activities/${detail.id}/winners?format=csv`}
          download={`winners-${detail.id}.csv`}
        >
          {t('run.winnersCsv')}
        </a>
        {may('runActivities') && (
          <>
            <a
              href={`${API_ROOT}/admin/activities/${detail.id}/winners`}
              download={`winners-whole-${detail.id}.csv`}
            >
              {t('run.wholeCsv')}
            </a>
            <Act
              small
              label={t('run.publish')}
              says={t('run.publishSays')}
              fields={[reasonField(t, true)]}
              run={(values) =>
                ask((signal) =>
                  api.POST('/activities/{id}/winners/publish', {
                    params: { path: { id: detail.id } },
                    body: { reason: asText(values.reason) },
                    signal,
                  }),
                )
              }
              done={t('saved')}
            />
          </>
        )}
      </p>
    </>
  );
}

function Live({ id, report }: { id: string; report: ReportBody | undefined }) {
  const { t, language } = useText();
  const { value, state } = useStream<LiveBody>(`${API_ROOT}/activities/${id}/live`, 'figures');
  const rate = useRate(value?.draws);
  const n = (count: number | undefined) => (count === undefined ? '—' : formatNumber(count, language));
  const budget = report?.cost.total_budget_minor ?? undefined;
  return (
    <section aria-label={t('live.live')}>
      <LiveDot state={state} />
      <dl className="tiles gap-top">
        <Tile label={t('run.rate')} value={rate.toFixed(1)} />
        <Tile label={t('run.draws')} value={n(value?.draws)} />
        <Tile label={t('run.players')} value={n(value?.players)} />
        <Tile label={t('run.wins')} value={n(value?.wins)} />
        <Tile
          label={t('run.cost')}
          value={value ? money(value.cost_minor, language) : '—'}
          note={budget === undefined ? undefined : t('run.ofBudget', { budget: money(budget, language) })}
        />
        <Tile label={t('run.lag')} value={n(value?.lag)} bad={(value?.lag ?? 0) > 100_000} />
      </dl>
    </section>
  );
}

function Report({ detail, report }: { detail: DetailBody; report: ReportBody }) {
  const { t, language } = useText();
  const may = useMay();
  const curves = useMemo(() => curvesOf(detail, report, language, t), [detail, report, language, t]);
  const hours = useMemo(() => hoursOf(report, language, t), [report, language, t]);
  const { funnel, cost } = report;
  const steps: [string, number][] = [
    ['run.players', funnel.players],
    ['run.draws', funnel.draws],
    ['run.winners', funnel.winners],
    ['run.wins', funnel.wins],
  ];
  return (
    <>
      <div className="two gap-bottom">
        <section className="panel">
          <h2 className="section-title">{t('run.depletion')}</h2>
          <Chart option={curves} label={t('run.depletion')} height={280} />
        </section>
        <section className="panel">
          <h2 className="section-title">{t('run.hours')}</h2>
          <Chart option={hours} label={t('run.hours')} height={280} />
        </section>
        <section className="panel">
          <h2 className="section-title">{t('run.funnel')}</h2>
          <dl className="facts">
            {steps.map(([word, n]) => (
              <div key={word} className="contents">
                <dt>{t(word)}</dt>
                <dd>
                  <Count n={n} />
                </dd>
              </div>
            ))}
          </dl>
        </section>
        <section className="panel">
          <h2 className="section-title">{t('run.cost')}</h2>
          <dl className="facts">
            <dt>{t('run.inAll')}</dt>
            <dd>
              <Money minor={cost.total_minor} />
              {cost.total_budget_minor != null && ` / ${money(cost.total_budget_minor, language)}`}
            </dd>
            <dt>{t('run.lastDay')}</dt>
            <dd>
              <Money minor={cost.day_minor} />
              {cost.day_budget_minor != null && ` / ${money(cost.day_budget_minor, language)}`}
            </dd>
            <dt>{t('run.fallbackPoints')}</dt>
            <dd>
              <Count n={cost.points} />
              {cost.points_budget != null && ` / ${formatNumber(cost.points_budget, language)}`}
            </dd>
          </dl>
        </section>
      </div>
      <Scroll className="panel scroll">
        <h2 className="section-title">{t('run.prizes')}</h2>
        <table className="plain-table">
          <thead>
            <tr>
              <th>{t('odds.prize')}</th>
              <th className="right">{t('run.given')}</th>
              <th className="right">{t('run.left')}</th>
              <th className="right">{t('run.total')}</th>
              <th className="right">{t('run.cost')}</th>
              <th>{t('col.acts')}</th>
            </tr>
          </thead>
          <tbody>
            {report.prizes.map((prize) => (
              <tr key={prize.id}>
                <th scope="row">
                  {prize.name} {prize.withdrawn && <State name="withdrawn" />}
                  {prize.low_since_ms != null && <span className="wrong"> {t('run.low')}</span>}
                </th>
                <td className="right">
                  <Count n={prize.given} />
                </td>
                <td className="right">
                  <Count n={prize.left} />
                </td>
                <td className="right">
                  <Count n={prize.total} />
                </td>
                <td className="right">
                  <Money minor={prize.cost_minor * prize.given} />
                </td>
                <td>{may('runActivities') && <PrizeActs id={detail.id} prize={prize} />}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
    </>
  );
}

function PrizeActs({ id, prize }: { id: string; prize: ReportBody['prizes'][number] }) {
  const { t } = useText();
  const params = { path: { id, prize: prize.id } };
  const refresh = [['report', id]];
  const which = prize.withdrawn ? 'restore' : 'withdraw';
  return (
    <span className="row">
      {prize.total != null && (
        <Act
          link
          label={t('run.restock')}
          says={t('run.restockSays', { name: prize.name })}
          fields={[
            { name: 'delta', label: t('run.delta'), kind: 'number', help: t('run.deltaHelp') },
            reasonField(t),
          ]}
          run={(values) =>
            ask((signal) =>
              api.POST('/activities/{id}/prizes/{prize}/restock', {
                params,
                body: { id: freshId(), delta: asNumber(values.delta), reason: asText(values.reason) },
                signal,
              }),
            )
          }
          refresh={refresh}
          done={t('saved')}
        />
      )}
      <Act
        link
        danger={!prize.withdrawn}
        label={t(`run.${which}`)}
        says={t(`run.${which}Says`, { name: prize.name })}
        fields={[reasonField(t)]}
        run={(values) =>
          ask((signal) =>
            api.POST(`/activities/{id}/prizes/{prize}/${which}`, {
              params,
              body: { id: freshId(), reason: asText(values.reason) },
              signal,
            }),
          )
        }
        refresh={refresh}
        done={t('saved')}
      />
    </span>
  );
}

type Say = (key: string) => string;

/** Units left, solid, against an even release over the window, dashed; in percent, so that all fit one chart. */
function curvesOf(detail: DetailBody, report: ReportBody, language: Language, t: Say): EChartsOption {
  const form = detail.live ? draftOf(detail.live.form) : undefined;
  const now = serverNow();
  const counted = report.prizes.filter((prize) => prize.total != null && prize.total > 0);
  const share =
    (total: number) =>
    ([at, left]: [number, number]) => [at, Math.round((1000 * left) / total) / 10];
  const series = counted.flatMap((prize) => {
    const total = (prize.left ?? 0) + prize.given;
    const release = form?.prizes.find(({ id }) => id === prize.id)?.release ?? [];
    const plan = planned({
      fromMs: detail.from_ms,
      untilMs: detail.until_ms,
      total: Math.max(1, total),
      release,
    });
    const actual = depletion(
      report.hours,
      prize.id,
      Math.max(1, total),
      detail.from_ms,
      Math.min(now, detail.until_ms),
    );
    return [
      {
        name: prize.name,
        type: 'line' as const,
        showSymbol: false,
        data: actual.map(share(Math.max(1, total))),
      },
      ...(release.length > 0
        ? [
            {
              name: `${prize.name} (${t('run.plan')})`,
              type: 'line' as const,
              showSymbol: false,
              lineStyle: { type: 'dotted' as const },
              data: plan.map(share(Math.max(1, total))),
            },
          ]
        : []),
    ];
  });
  const even = planned({ fromMs: detail.from_ms, untilMs: detail.until_ms, total: 100 });
  return {
    grid: { left: 44, right: 16, top: 44, bottom: 28 },
    legend: { top: 0 },
    tooltip: { trigger: 'axis' },
    xAxis: {
      type: 'time',
      min: detail.from_ms,
      max: detail.until_ms,
      axisLabel: { formatter: (ms: number) => formatShort(ms, language), hideOverlap: true },
    },
    yAxis: { type: 'value', min: 0, max: 100, axisLabel: { formatter: '{value} %' } },
    series: [
      ...series,
      {
        name: t('run.even'),
        type: 'line',
        showSymbol: false,
        lineStyle: { type: 'dashed', width: 1 },
        data: even,
      },
    ],
  };
}

function hoursOf(report: ReportBody, language: Language, t: Say): EChartsOption {
  const rows = byHour(report.hours);
  return {
    grid: { left: 48, right: 16, top: 36, bottom: 28 },
    legend: { top: 0 },
    tooltip: { trigger: 'axis' },
    xAxis: {
      type: 'time',
      axisLabel: { formatter: (ms: number) => formatShort(ms, language), hideOverlap: true },
    },
    yAxis: { type: 'value', minInterval: 1 },
    series: [
      { name: t('run.draws'), type: 'bar', barMaxWidth: 24, data: rows.map((row) => [row.at, row.draws]) },
      { name: t('run.wins'), type: 'bar', barMaxWidth: 24, data: rows.map((row) => [row.at, row.wins]) },
    ],
  };
}
