// How a sale runs: its units live, from the ledger; more of them, more time; and its orders.
import { useQuery } from '@tanstack/react-query';
import { API_ROOT, api, ask, freshId } from '../../api/client';
import type { DetailBody, PoolBody } from '../../api/wire';
import { formatNumber, useText } from '../../i18n';
import { useStream } from '../../live/useStream';
import { draftOf } from '../logic/draft';
import { OrderTable } from '../orders/OrderTable';
import { Act, asNumber, asText, reasonField } from '../parts/Act';
import { LiveDot } from '../parts/LiveDot';
import { Trouble } from '../parts/states';
import { Tile } from '../parts/Tile';
import { useMay } from '../session/session';
import { activityKey } from './Wizard';

/** Where the units of a sale are kept. */
export const salePool = (id: string) => `sale/${id}`;

export function useSaleUnits(id: string, everyMs: number | false) {
  const name = salePool(id);
  return useQuery({
    queryKey: ['pool', name],
    queryFn: () =>
      ask((signal) => api.GET('/inventory/pools/{name}', { params: { path: { name } }, signal })),
    refetchInterval: everyMs,
  });
}

export function SaleRunning({ detail }: { detail: DetailBody }) {
  const { t } = useText();
  return (
    <>
      <Units detail={detail} />
      <section aria-label={t('nav.orders')}>
        <h2 className="section-title">{t('nav.orders')}</h2>
        <OrderTable sale={detail.id} />
      </section>
    </>
  );
}

function Units({ detail }: { detail: DetailBody }) {
  const { t, language } = useText();
  const may = useMay();
  const { data, error, refetch } = useSaleUnits(detail.id, false);
  const { value, state } = useStream<PoolBody>(
    `${API_ROOT}/inventory/pools/${encodeURIComponent(salePool(detail.id))}/events`,
    'counters',
  );
  const units = value ?? data;
  const n = (count: number | undefined) => (count === undefined ? '—' : formatNumber(count, language));
  const share = (count: number) => `${units && units.total > 0 ? (100 * count) / units.total : 0}%`;
  const name = detail.live ? draftOf(detail.live.form).sale.name || detail.name : detail.name;
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
              <Act
                label={t('run.restock')}
                says={t('sale.restockSays', { name })}
                fields={[
                  { name: 'delta', label: t('run.delta'), kind: 'number', help: t('run.deltaHelp') },
                  reasonField(t),
                ]}
                run={(values) =>
                  ask((signal) =>
                    api.POST('/sales/{id}/restock', {
                      params: { path: { id: detail.id } },
                      body: { id: freshId(), delta: asNumber(values.delta), reason: asText(values.reason) },
                      signal,
                    }),
                  )
                }
                refresh={[['pool', salePool(detail.id)]]}
                done={t('saved')}
              />
              <Act
                label={t('sale.extend')}
                says={t('sale.extendSays')}
                fields={[
                  { name: 'until', label: t('sale.newEnd'), kind: 'moment', initial: detail.until_ms },
                  reasonField(t),
                ]}
                run={(values) =>
                  ask((signal) =>
                    api.POST('/sales/{id}/extend', {
                      params: { path: { id: detail.id }, header: { 'Idempotency-Key': freshId() } },
                      body: { until: asNumber(values.until), reason: asText(values.reason) },
                      signal,
                    }),
                  )
                }
                refresh={[activityKey(detail.id), ['activities']]}
                done={t('saved')}
              />
            </>
          )}
        </span>
      </div>
      {error && !units && <Trouble error={error} retry={() => void refetch()} />}
      <dl className="tiles gap-top">
        <Tile label={t('sale.sold')} value={<span data-testid="sold">{n(units?.taken)}</span>} />
        <Tile label={t('sale.held')} value={n(units?.held)} />
        <Tile label={t('sale.left')} value={n(units?.available)} bad={units?.available === 0 && !over} />
        <Tile label={t('run.total')} value={n(units?.total)} />
      </dl>
      {units && (
        <div className="split" aria-hidden="true">
          <span className="split-sold" style={{ width: share(units.taken) }} />
          <span className="split-held" style={{ width: share(units.held) }} />
        </div>
      )}
    </section>
  );
}
