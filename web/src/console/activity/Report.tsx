import { useMemo, useState } from 'react';
import { api, insist } from '../../api/client';
import type { DetailBody, ReportBody } from '../../api/wire';
import { formatNumber } from '../../i18n';
import { serverNow } from '../../time/clock';
import { activityKeys } from '../keys';
import { firstScale } from '../logic/curves';
import { Act, reasonField } from '../parts/Act';
import { Count, Money, money, State } from '../parts/bits';
import { Chart } from '../parts/Chart';
import { CodesLeft } from '../parts/CodesLeft';
import { Restock } from '../parts/fields';
import { Scale, type TimeScale } from '../parts/Scale';
import { Scroll } from '../parts/Scroll';
import { useMay } from '../session/session';
import { useText, type Word } from '../text';
import { Funnel } from './Funnel';
import { curvesOf, drawsOf } from './reportCharts';

/** The report: charts, from players to winners, cost, and each prize with its switches. */
export function Report({ detail, report }: { detail: DetailBody; report: ReportBody }) {
  const { t, language } = useText();
  const curves = useMemo(() => curvesOf(detail, report, language, t), [detail, report, language, t]);
  const [chosen, setChosen] = useState<TimeScale>();
  const scale = chosen ?? firstScale(report.minutes, serverNow());
  const draws = useMemo(() => drawsOf(report, scale, language, t), [report, scale, language, t]);
  const drawsLabel = t(scale === 'hour' ? 'run.hours' : 'run.minutes');
  const { funnel, cost } = report;
  const steps: [Word, number][] = [
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
          <Chart option={curves} label={t('run.depletion')} height={300} zoom />
        </section>
        <section className="panel">
          <div className="row-between">
            <h2 className="section-title">{drawsLabel}</h2>
            {report.minutes.length > 0 && <Scale value={scale} change={setChosen} />}
          </div>
          <Chart option={draws} label={drawsLabel} height={300} zoom />
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
      <Funnel id={detail.id} over={detail.state === 'closed'} />
      <Prizes detail={detail} report={report} />
    </>
  );
}

function Prizes({ detail, report }: { detail: DetailBody; report: ReportBody }) {
  const { t } = useText();
  const may = useMay();
  return (
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
              <td>
                {may('runActivities') && detail.state !== 'closed' && (
                  <PrizeActs detail={detail} prize={prize} />
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}

function PrizeActs({ detail, prize }: { detail: DetailBody; prize: ReportBody['prizes'][number] }) {
  const { t } = useText();
  const { id } = detail;
  const pool = detail.live?.form.prizes?.find((one) => one.id === prize.id)?.pool;
  const params = { path: { id, prize: prize.id } };
  const refresh = [activityKeys.reports(id)];
  const which = prize.withdrawn ? 'restore' : 'withdraw';
  return (
    <span className="row">
      {prize.total != null && (
        <Restock
          link
          says={
            <>
              <p>{t('run.restockSays', { name: prize.name })}</p>
              {pool && <CodesLeft pool={pool} />}
            </>
          }
          send={(body) =>
            insist((signal) => api.POST('/activities/{id}/prizes/{prize}/restock', { params, body, signal }))
          }
          refresh={refresh}
        />
      )}
      <Act
        link
        danger={!prize.withdrawn}
        label={t(`run.${which}`)}
        says={t(`run.${which}Says`, { name: prize.name })}
        fields={[reasonField(t)]}
        run={(values, once) =>
          insist((signal) =>
            api.POST(`/activities/{id}/prizes/{prize}/${which}`, {
              params,
              body: { id: once, reason: values.reason },
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
