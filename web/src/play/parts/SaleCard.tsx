import { Link } from 'react-router';
import type { SaleBody } from '../../api/wire';
import { formatNumber } from '../../i18n';
import { formatMoney } from '../../i18n/money';
import { useNow } from '../../time/useNow';
import { standingOf } from '../standing';
import { useText } from '../text';
import { Countdown } from './Countdown';
import { Goods } from './Goods';

/** How much of a sale's stock is left, 0 to 1. */
export const shareLeft = ({ left, units }: SaleBody): number => (units > 0 ? Math.min(1, left / units) : 0);

/** A sale among others: what, for how much, and whether there is still some. */
export function SaleCard({ sale }: { sale: SaleBody }) {
  const { t, language } = useText();
  const now = useNow(sale.from_ms);
  const standing = standingOf(sale, now);
  const gone = sale.sold_out && standing === 'running';
  return (
    <Link to={`/sales/${sale.id}`} className={`sale-card ${gone ? 'gone' : standing}`}>
      <Goods kind={sale.item.kind} picture={sale.item.pictures[0]} width={320} />
      {gone && <span className="stamp">{t('sale.gone')}</span>}
      <b className="sale-card-name">{sale.item.name}</b>
      <span className="sale-price">{formatMoney(sale.price_minor, sale.currency, language)}</span>
      {standing === 'soon' && <Countdown to={sale.from_ms} label={t('home.startsIn')} />}
      {standing === 'paused' && <small>{t('state.paused')}</small>}
      {standing === 'over' && <small>{t('state.over')}</small>}
      {standing === 'running' && (
        <span className="sale-card-left">
          <i className="bar" aria-hidden="true">
            <i style={{ width: `${shareLeft(sale) * 100}%` }} />
          </i>
          <small>{t('sale.left', { count: sale.left, number: formatNumber(sale.left, language) })}</small>
        </span>
      )}
    </Link>
  );
}
