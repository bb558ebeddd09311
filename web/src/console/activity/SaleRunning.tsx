// How a sale runs: its units, more of them, more time; and its orders.
import { useQuery } from '@tanstack/react-query';
import { api, ask, insist } from '../../api/client';
import type { DetailBody } from '../../api/wire';
import { formatNumber, useText } from '../../i18n';
import { draftOf } from '../logic/draft';
import { OrderTable } from '../orders/OrderTable';
import { Act, asNumber, asText, reasonField } from '../parts/Act';
import { Restock } from '../parts/fields';
import { LiveDot } from '../parts/LiveDot';
import { Trouble } from '../parts/states';
import { Tile } from '../parts/Tile';
import { useMay } from '../session/session';
import { activityKey } from './Wizard';

const UNITS_MS = 2000;
/** Orders looked at to count what is held. */
const ORDERS_MAX = 200;

export interface Units {
  total: number;
  left: number;
  /** Ordered and not paid; "at least" where there are more orders than are looked at. */
  held: number;
  atLeast: boolean;
  sold: number;
}

export const unitsKey = (id: string) => ['sale-units', id];

/** What is left is the ledger's; what is held is counted from the orders that are not paid; the rest is sold. */
export function useSaleUnits(id: string, everyMs: number) {
  return useQuery({
    queryKey: unitsKey(id),
    queryFn: async (): Promise<Units> => {
      const [sale, unpaid] = await Promise.all([
        ask((signal) => api.GET('/sales/{id}', { params: { path: { id } }, signal })),
        ask((signal) =>
          api.GET('/admin/orders', {
            params: { query: { sale: id, state: 'unpaid', limit: ORDERS_MAX } },
            signal,
          }),
        ),
      ]);
      const lines = unpaid.items.flatMap((order) => order.lines).filter((line) => line.sale === id);
      const ordered = lines.reduce((sum, line) => sum + line.quantity, 0);
      const gone = Math.max(0, sale.units - sale.left);
      const held = sale.policy === 'at_order' ? Math.min(ordered, gone) : 0;
      return {
        total: sale.units,
        left: sale.left,
        held,
        atLeast: unpaid.next != null && held > 0,
        sold: gone - held,
      };
    },
    refetchInterval: everyMs,
  });
}

export function SaleRunning({ detail }: { detail: DetailBody }) {
  const { t } = useText();
  return (
    <>
      <UnitsNow detail={detail} />
      <section aria-label={t('nav.orders')}>
        <h2 className="section-title">{t('nav.orders')}</h2>
        <OrderTable sale={detail.id} />
      </section>
    </>
  );
}

function UnitsNow({ detail }: { detail: DetailBody }) {
  const { t, language } = useText();
  const may = useMay();
  const { data: units, error, refetch } = useSaleUnits(detail.id, UNITS_MS);
  const n = (count: number | undefined) => (count === undefined ? '—' : formatNumber(count, language));
  const share = (count: number) => `${units && units.total > 0 ? (100 * count) / units.total : 0}%`;
  const name = detail.live ? draftOf(detail.live.form).sale.name || detail.name : detail.name;
  const over = detail.state === 'closed';
  return (
    <section className="gap-bottom" aria-label={t('sale.units')}>
      <div className="row-between">
        <LiveDot state={error ? 'waiting' : units ? 'live' : 'connecting'} />
        <span className="row">
          <a href={`/sales/${detail.id}`} target="_blank" rel="noreferrer">
            {t('sale.page')}
          </a>
          {may('runActivities') && !over && (
            <>
              <Restock
                says={t('sale.restockSays', { name })}
                send={(body) =>
                  insist((signal) =>
                    api.POST('/sales/{id}/restock', { params: { path: { id: detail.id } }, body, signal }),
                  )
                }
                refresh={[unitsKey(detail.id)]}
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
        <Tile label={t('sale.sold')} value={<span data-testid="sold">{n(units?.sold)}</span>} />
        <Tile label={t('sale.held')} value={heldOf(units, n)} />
        <Tile label={t('sale.left')} value={n(units?.left)} bad={units?.left === 0 && !over} />
        <Tile label={t('run.total')} value={n(units?.total)} />
      </dl>
      {units && (
        <div className="split" aria-hidden="true">
          <span className="split-sold" style={{ width: share(units.sold) }} />
          <span className="split-held" style={{ width: share(units.held) }} />
        </div>
      )}
    </section>
  );
}

export function heldOf(units: Units | undefined, n: (count: number | undefined) => string): string {
  return `${n(units?.held)}${units?.atLeast ? '+' : ''}`;
}
