// How an activity runs: live figures by stream, its report, and the list of winners.

import { useQuery } from '@tanstack/react-query';
import { API_ROOT, api, ask } from '../../api/client';
import type { DetailBody, LiveBody, ReportBody } from '../../api/wire';
import { formatNumber } from '../../i18n';
import { useStream } from '../../live/useStream';
import { activityKeys } from '../keys';
import { Act, reasonField } from '../parts/Act';
import { money } from '../parts/bits';
import { LiveDot } from '../parts/LiveDot';
import { Refusals } from '../parts/Refusals';
import { Read } from '../parts/states';
import { Tile } from '../parts/Tile';
import { useMay } from '../session/session';
import { useText } from '../text';
import { Report } from './Report';
import { useRate, wholeReport } from './useReport';

export function Running({ detail }: { detail: DetailBody }) {
  const { t } = useText();
  const may = useMay();
  const report = useQuery({
    queryKey: activityKeys.report(detail.id),
    queryFn: ({ signal }) => wholeReport(detail.id, signal),
    refetchInterval: detail.state === 'running' ? 15_000 : false,
  });
  return (
    <>
      {(detail.state === 'running' || detail.state === 'paused') && (
        <Live id={detail.id} report={report.data} />
      )}
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
                    body: { reason: values.reason },
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
      <Refusals refusals={value?.refusals} />
    </section>
  );
}
