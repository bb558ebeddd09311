// One sale: what it is, what it costs, how many are left, and the way to have one.
import { useParams } from 'react-router';
import { hasCode } from '../../api/problem';
import type { SaleBody } from '../../api/wire';
import { formatMoment, formatNumber } from '../../i18n';
import { useNow } from '../../time/useNow';
import { percentSold, shareLeft } from '../buy/price';
import { useSale } from '../buy/useSale';
import { Countdown } from '../parts/Countdown';
import { Head } from '../parts/Head';
import { Price } from '../parts/Price';
import { Failed, Loading } from '../parts/states';
import { useSession } from '../session';
import { type Standing, standingOf } from '../standing';
import { useText } from '../text';
import { BuyPanel } from './BuyPanel';
import { Gallery } from './Gallery';
import { Imprint } from './Imprint';
import Lost from './Lost';
import '../style/sale.css';

export default function Sale() {
  const { id = '' } = useParams();
  const { asking } = useSession();
  const { data, error, isPending, refetch } = useSale(id);
  if (isPending || asking) return <Loading />;
  if (hasCode(error, 'not_found', 'invalid_field') && !data) return <Lost />;
  if (!data) return <Failed error={error} retry={() => void refetch()} />;
  return <About key={data.id} sale={data} />;
}

function About({ sale }: { sale: SaleBody }) {
  const { t } = useText();
  const begun = useNow(sale.from_ms);
  const ended = useNow(sale.until_ms);
  const standing = standingOf(sale, Math.max(begun, ended));
  const { item } = sale;
  return (
    <>
      <Head title={sale.name} back="/" />
      <div className="sale">
        <Gallery sale={sale} />
        <div className="sale-side">
          <div className="sale-words">
            <p className="sale-item">{item.name}</p>
            <p className="sale-cost">
              <Price sale={sale} />
              <span className={`kind ${item.kind}`}>{t(`item.${item.kind}`)}</span>
            </p>
          </div>
          <StandingLine sale={sale} standing={standing} />
          {standing !== 'over' && <Stock sale={sale} standing={standing} />}
          <BuyPanel sale={sale} standing={standing} />
        </div>
      </div>
      {(sale.description || item.details) && (
        <section className="section sale-details">
          <h2>{t('sale.details')}</h2>
          {sale.description && <p>{sale.description}</p>}
          {item.details && <p>{item.details}</p>}
        </section>
      )}
      <Rules sale={sale} />
      <Imprint of={sale.imprint} />
    </>
  );
}

function StandingLine({ sale, standing }: { sale: SaleBody; standing: Standing }) {
  const { t, language } = useText();
  return (
    <p className={`sale-standing ${standing}`} role="status">
      {standing === 'soon' && <Countdown to={sale.from_ms} label={t('home.startsIn')} />}
      {standing === 'running' && <Countdown to={sale.until_ms} label={t('home.endsIn')} />}
      {standing === 'paused' && t('sale.paused')}
      {standing === 'over' && t('sale.over', { when: formatMoment(sale.until_ms, language) })}
    </p>
  );
}

function Stock({ sale, standing }: { sale: SaleBody; standing: Standing }) {
  const { t, language } = useText();
  const number = (value: number) => formatNumber(value, language);
  const share = shareLeft(sale);
  return (
    <div className={`stock ${share <= 0.2 && standing === 'running' ? 'few' : ''}`} data-testid="stock">
      <i className="bar" aria-hidden="true">
        <i style={{ width: `${percentSold(sale)}%` }} />
      </i>
      <span>
        {standing !== 'soon' && `${t('sale.sold', { percent: percentSold(sale) })} · `}
        {standing === 'soon'
          ? t('sale.units', { count: sale.units, number: number(sale.units) })
          : t('sale.leftOf', { left: number(sale.left), units: number(sale.units) })}
      </span>
    </div>
  );
}

/** What one agrees to. */
function Rules({ sale }: { sale: SaleBody }) {
  const { t, language } = useText();
  const minutes = Math.round(sale.hold_s / 60);
  return (
    <section className="section">
      <h2>{t('sale.rules')}</h2>
      <ul className="rules quiet">
        <li>
          {t('rule.window', {
            from: formatMoment(sale.from_ms, language),
            until: formatMoment(sale.until_ms, language),
          })}
        </li>
        {sale.per_user != null && <li>{t('sale.perUser', { count: sale.per_user })}</li>}
        <li>
          {sale.policy === 'at_payment'
            ? t('sale.atPayment')
            : sale.hold_s < 60
              ? t('sale.holdSeconds', { count: sale.hold_s })
              : t('sale.holdMinutes', { count: minutes })}
        </li>
        <li>{t(`sale.comes.${sale.item.kind}`)}</li>
        {sale.gate.room && <li>{t('sale.room')}</li>}
        {sale.gate.captcha && <li>{t('sale.captcha')}</li>}
      </ul>
    </section>
  );
}
