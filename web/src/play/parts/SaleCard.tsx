import { Link } from 'react-router';
import type { SaleBody } from '../../api/wire';
import { formatNumber } from '../../i18n';
import { useNow } from '../../time/useNow';
import { percentSold } from '../buy/price';
import { standingOf } from '../standing';
import { useText } from '../text';
import { Countdown } from './Countdown';
import { Goods } from './Goods';
import { Price } from './Price';

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
      <Price sale={sale} />
      {standing === 'soon' && <Countdown to={sale.from_ms} label={t('home.startsIn')} />}
      {standing === 'paused' && <small>{t('state.paused')}</small>}
      {standing === 'over' && <small>{t('state.over')}</small>}
      {standing === 'running' && (
        <span className="sale-card-left">
          <i className="bar" aria-hidden="true">
            <i style={{ width: `${percentSold(sale)}%` }} />
          </i>
          <small>
            {t('sale.sold', { percent: percentSold(sale) })} ·{' '}
            {t('sale.left', { count: sale.left, number: formatNumber(sale.left, language) })}
          </small>
        </span>
      )}
    </Link>
  );
}
