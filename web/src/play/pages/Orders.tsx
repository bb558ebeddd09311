import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { usePolledList } from '../../api/polled';
import type { SaleOrderBody } from '../../api/wire';
import { formatShort } from '../../i18n';
import { formatMoney } from '../../i18n/money';
import { myOrdersList, saleRead } from '../buy/reads';
import { Chevron } from '../parts/art';
import { Countdown } from '../parts/Countdown';
import { Goods } from '../parts/Goods';
import { Head } from '../parts/Head';
import { More } from '../parts/More';
import { Empty, Failed, Loading } from '../parts/states';
import { useText } from '../text';
import '../style/sale.css';

/** Everything I ordered. */
export default function Orders() {
  const { t } = useText();
  const { query, rows: orders } = usePolledList(myOrdersList);
  return (
    <>
      <Head title={t('orders.title')} back="/me" />
      {query.isPending && <Loading />}
      {!query.data && query.error && <Failed error={query.error} retry={() => void query.refetch()} />}
      {query.data && orders.length === 0 && (
        <Empty title={t('orders.empty')}>
          <Link to="/" className="button">
            {t('orders.browse')}
          </Link>
        </Empty>
      )}
      <ul className="wins">
        {unpaidFirst(orders).map((order) => (
          <li key={order.id}>
            <OrderRow order={order} />
          </li>
        ))}
      </ul>
      <More query={query} />
    </>
  );
}

/** What waits for a payment is on top, the most urgent first; the rest stays as it is. */
export function unpaidFirst(orders: readonly SaleOrderBody[]): SaleOrderBody[] {
  const waits = (order: SaleOrderBody) => order.state === 'unpaid' && !order.paying;
  const waiting = orders.filter(waits).sort((a, b) => a.due_ms - b.due_ms);
  return [...waiting, ...orders.filter((order) => !waits(order))];
}

function OrderRow({ order }: { order: SaleOrderBody }) {
  const { t, language } = useText();
  const [first] = order.lines;
  const count = order.lines.reduce((sum, line) => sum + line.quantity, 0);
  return (
    <Link to={`/orders/${order.id}`} className={`order-row ${order.state}`}>
      <SaleFace sale={first?.sale ?? ''} kind={first?.item ?? 'parcel'} />
      <span className="row-words">
        <b>{order.lines.map((line) => line.name).join(', ')}</b>
        <small>
          {t('order.pieces', { count })} · {formatMoney(order.total_minor, order.currency, language)} ·{' '}
          {formatShort(order.made_at_ms, language)}
        </small>
        <span className={`order-state ${order.state}`}>
          {t(order.paying ? 'order.paying' : `order.${order.state}`)}
        </span>
        {order.state === 'unpaid' && !order.paying && (
          <Countdown to={order.due_ms} label={t('order.payIn')} />
        )}
      </span>
      <Chevron />
    </Link>
  );
}

/** The first picture of the sale that something is from; ours for its kind until it is there. */
export function SaleFace({ sale, kind }: { sale: string; kind: string }) {
  const { data } = useQuery({
    ...saleRead(sale),
    refetchInterval: false,
    staleTime: 600_000,
    enabled: sale !== '',
  });
  return <Goods key={data?.id ?? ''} kind={kind} picture={data?.item.pictures[0]} width={320} />;
}
