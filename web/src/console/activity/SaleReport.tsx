// The report of a sale: what was ordered, paid and given back, in all and by the hour.

import { useQuery } from '@tanstack/react-query';
import type { EChartsOption } from 'echarts';
import { useMemo, useState } from 'react';
import { api, ask } from '../../api/client';
import type { DetailBody, SaleReportBody } from '../../api/wire';
import { formatShort, type Language } from '../../i18n';
import { formatMoney } from '../../i18n/money';
import { serverNow } from '../../time/clock';
import { saleKeys } from '../keys';
import { firstScale } from '../logic/curves';
import { saleByHour, saleByMinute, totalsOf } from '../logic/saleReport';
import { Count } from '../parts/bits';
import { Chart } from '../parts/Chart';
import { colourOf } from '../parts/colours';
import { Scale, type TimeScale } from '../parts/Scale';
import { Nothing, Read } from '../parts/states';
import { type Say, useText } from '../text';

/** Pages of hours that are fetched at most. */
const HOUR_PAGES_MAX = 20;

/** The report with all its hours. */
async function wholeReport(id: string, signal: AbortSignal): Promise<SaleReportBody> {
  const hours: SaleReportBody['hours'] = [];
  let from: number | undefined;
  for (let page = 0; ; page += 1) {
    const query = from === undefined ? {} : { from_ms: from };
    const report = await ask(
      (over) => api.GET('/sales/{id}/report', { params: { path: { id }, query }, signal: over }),
      signal,
    );
    hours.push(...report.hours);
    from = report.next_from_ms ?? undefined;
    if (from === undefined || page + 1 >= HOUR_PAGES_MAX) return { ...report, hours };
  }
}

export function SaleReport({ detail }: { detail: DetailBody }) {
  const report = useQuery({
    queryKey: saleKeys.report(detail.id),
    queryFn: ({ signal }) => wholeReport(detail.id, signal),
    refetchInterval: detail.state === 'closed' ? 60_000 : 10_000,
  });
  return <Read from={report}>{(data) => <Shown report={data} />}</Read>;
}

function Shown({ report }: { report: SaleReportBody }) {
  const { t, language } = useText();
  const [chosen, setChosen] = useState<TimeScale>();
  const scale = chosen ?? firstScale(report.minutes, serverNow());
  const chart = useMemo(() => chartOf(report, scale, language, t), [report, scale, language, t]);
  const label = t(scale === 'hour' ? 'sale.byHour' : 'sale.byMinute');
  const totals = totalsOf(report.hours);
  return (
    <div className="two gap-bottom">
      <section className="panel">
        <div className="row-between">
          <h2 className="section-title">{label}</h2>
          {report.minutes.length > 0 && <Scale value={scale} change={setChosen} />}
        </div>
        <Chart option={chart} label={label} height={300} zoom />
      </section>
      <section className="panel">
        <h2 className="section-title">{t('sale.soFar')}</h2>
        {totals.length === 0 && <Nothing text={t('order.none')} />}
        {totals.map((total) => (
          <dl key={total.currency} className="facts">
            {(['orders', 'units', 'paid', 'cancelled', 'expired', 'refunded'] as const).map((name) => (
              <div key={name} className="contents">
                <dt>{t(`sale.sum.${name}`)}</dt>
                <dd>
                  <Count n={total[name]} />
                </dd>
              </div>
            ))}
            <dt>{t('sale.sum.taken')}</dt>
            <dd className="number" data-testid="taken">
              {formatMoney(total.taken_minor, total.currency, language)}
            </dd>
            <dt>{t('sale.sum.back')}</dt>
            <dd className="number">{formatMoney(total.refunded_minor, total.currency, language)}</dd>
          </dl>
        ))}
      </section>
    </div>
  );
}

function chartOf(report: SaleReportBody, scale: TimeScale, language: Language, t: Say): EChartsOption {
  const rows =
    scale === 'hour' ? saleByHour(report.hours, report.attempt_hours) : saleByMinute(report.minutes);
  const bar = (name: string, place: number, pick: (row: (typeof rows)[number]) => number) => ({
    name,
    type: 'bar' as const,
    color: colourOf(place),
    barMaxWidth: 24,
    data: rows.map((row) => [row.at, pick(row)]),
  });
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
      bar(t('sale.sum.orders'), 0, (row) => row.orders),
      bar(t('sale.sum.paid'), 2, (row) => row.paid),
      // Refusals are counted by the hour only.
      ...(scale === 'hour' ? [bar(t('sale.refusals'), 8, (row) => row.refused)] : []),
    ],
  };
}
