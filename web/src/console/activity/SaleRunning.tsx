// How a sale runs: its units and attempts live, its report, more units, more time; and its orders.

import { useQuery } from '@tanstack/react-query';
import { API_ROOT, api, insist, read } from '../../api/client';
import type { DetailBody, SaleFiguresBody } from '../../api/wire';
import { formatNumber } from '../../i18n';
import { useStream } from '../../live/useStream';
import { activityKeys, saleKeys } from '../keys';
import { draftOf } from '../logic/draft';
import { OrderTable } from '../orders/OrderTable';
import { Act, reasonField } from '../parts/Act';
import { CodesLeft } from '../parts/CodesLeft';
import { Restock } from '../parts/fields';
import { LiveDot } from '../parts/LiveDot';
import { Refusals } from '../parts/Refusals';
import { Tile } from '../parts/Tile';
import { useMay } from '../session/session';
import { useText } from '../text';
import { Funnel } from './Funnel';
import { SaleReport } from './SaleReport';

/** Units as the ledger has them, asked for now and then. */
export function useSaleUnits(id: string, everyMs: number) {
  return useQuery({
    queryKey: saleKeys.units(id),
    queryFn: read((signal) => api.GET('/sales/{id}/units', { params: { path: { id } }, signal })),
    refetchInterval: everyMs,
  });
}

export function SaleRunning({ detail }: { detail: DetailBody }) {
  const { t } = useText();
  return (
    <>
      <Now detail={detail} />
      <SaleReport detail={detail} />
      <Funnel id={detail.id} over={detail.state === 'closed'} />
      <section aria-label={t('nav.orders')}>
        <h2 className="section-title">{t('nav.orders')}</h2>
        <OrderTable sale={detail.id} />
      </section>
    </>
  );
}

/** What the stream tells: units, attempts, and the line before the door. */
function Now({ detail }: { detail: DetailBody }) {
  const { t, language } = useText();
  const may = useMay();
  const { value, state } = useStream<SaleFiguresBody>(
    `${API_ROOT}/sales/${detail.id}/report/live`,
    'figures',
  );
  const { units, attempts, room } = value ?? {};
  const n = (count: number | undefined) => (count === undefined ? '—' : formatNumber(count, language));
  const share = (count: number) => `${units && units.total > 0 ? (100 * count) / units.total : 0}%`;
  const name = detail.live ? draftOf(detail.live.form).sale.name || detail.name : detail.name;
  const pool = detail.live?.form.sale?.pool;
  const over = detail.state === 'closed';
  return (
    <section className="gap-bottom" aria-label={t('sale.units')}>
      <div className="row-between">
        <LiveDot state={state} />
        <span className="row">
          <a href={`/sales/${detail.id}`} target="_blank" rel="noreferrer">
            {t('sale.page')}
          </a>
          {may('runActivities') && !over && (
            <>
              <Restock
                says={
                  <>
                    <p>{t('sale.restockSays', { name })}</p>
                    {pool && <CodesLeft pool={pool} />}
                  </>
                }
                send={(body) =>
                  insist((signal) =>
                    api.POST('/sales/{id}/restock', { params: { path: { id: detail.id } }, body, signal }),
                  )
                }
                refresh={[saleKeys.units(detail.id)]}
              />
              <Act
                label={t('sale.extend')}
                says={t('sale.extendSays')}
                fields={[
                  { name: 'until', label: t('sale.newEnd'), kind: 'moment', initial: detail.until_ms },
                  reasonField(t),
                ]}
                run={(values, once) =>
                  insist((signal) =>
                    api.POST('/sales/{id}/extend', {
                      params: { path: { id: detail.id }, header: { 'Idempotency-Key': once } },
                      body: { until: values.until, reason: values.reason },
                      signal,
                    }),
                  )
                }
                refresh={[activityKeys.one(detail.id), activityKeys.lists]}
                done={t('saved')}
              />
            </>
          )}
        </span>
      </div>
      <dl className="tiles gap-top">
        <Tile label={t('sale.sold')} value={<span data-testid="sold">{n(units?.sold)}</span>} />
        <Tile label={t('sale.held')} value={n(units?.held)} />
        <Tile label={t('sale.left')} value={n(units?.left)} bad={units?.left === 0 && !over} />
        <Tile label={t('run.total')} value={n(units?.total)} />
      </dl>
      {units && (
        <div className="split" aria-hidden="true">
          <span className="split-sold" style={{ width: share(units.sold) }} />
          <span className="split-held" style={{ width: share(units.held) }} />
        </div>
      )}
      <dl className="tiles gap-top">
        <Tile label={t('sale.waiting')} value={n(attempts?.waiting)} />
        <Tile label={t('sale.ordered')} value={n(attempts?.ordered)} />
        <Tile label={t('sale.refusals')} value={n(attempts?.refused)} />
        {room && (
          <>
            <Tile label={t('sale.inLine')} value={n(room.waiting)} />
            <Tile label={t('sale.inside')} value={n(room.inside)} />
          </>
        )}
        <Tile label={t('run.lag')} value={n(value?.lag)} bad={(value?.lag ?? 0) > 100_000} />
      </dl>
      <p className="fine soft">{t('sale.sinceStart')}</p>
      <Refusals refusals={value?.refusals} />
    </section>
  );
}
