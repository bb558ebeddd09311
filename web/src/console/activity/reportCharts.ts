// What the charts of a report show.

import type { EChartsOption } from 'echarts';
import type { DetailBody, ReportBody } from '../../api/wire';
import { formatShort, type Language } from '../../i18n';
import { serverNow } from '../../time/clock';
import { byHour, depletion, planned } from '../logic/curves';
import { draftOf } from '../logic/draft';
import { colourOf } from '../parts/colours';
import type { Say } from '../text';

/** Units left, solid, against an even release over the window, dashed; in percent, so that all fit one chart. */
export function curvesOf(detail: DetailBody, report: ReportBody, language: Language, t: Say): EChartsOption {
  const form = detail.live ? draftOf(detail.live.form) : undefined;
  const now = serverNow();
  const counted = report.prizes.filter((prize) => prize.total != null && prize.total > 0);
  const share =
    (total: number) =>
    ([at, left]: [number, number]) => [at, Math.round((1000 * left) / total) / 10];
  const series = counted.flatMap((prize, place) => {
    const color = colourOf(place);
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
        color,
        data: actual.map(share(Math.max(1, total))),
      },
      ...(release.length > 0
        ? [
            {
              name: `${prize.name} (${t('run.plan')})`,
              type: 'line' as const,
              showSymbol: false,
              color,
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

/** Room beside the first and the last minute of a chart. */
const MARGIN_MS = 5 * 60_000;

/** Draws and wins, hour by hour, or minute by minute where the minutes are told. */
export function drawsOf(
  report: ReportBody,
  scale: 'hour' | 'minute',
  language: Language,
  t: Say,
): EChartsOption {
  const rows =
    scale === 'hour'
      ? byHour(report.hours)
      : report.minutes.map(({ from_ms, draws, wins }) => ({ at: from_ms, draws, wins }));
  const [first] = rows;
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
      ...(scale === 'minute' && first
        ? { min: first.at - MARGIN_MS, max: (rows.at(-1)?.at ?? 0) + MARGIN_MS }
        : {}),
      axisLabel: { formatter: (ms: number) => formatShort(ms, language), hideOverlap: true },
    },
    yAxis: { type: 'value', minInterval: 1 },
    series: [bar(t('run.draws'), 0, (row) => row.draws), bar(t('run.wins'), 1, (row) => row.wins)],
  };
}
