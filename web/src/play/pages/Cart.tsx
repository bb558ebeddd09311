// The cart: several sales in one order, all of them or none.
import { useQueries } from '@tanstack/react-query';
import { Link, useNavigate } from 'react-router';
import { hasCode } from '../../api/problem';
import type { SaleBody } from '../../api/wire';
import { formatNumber } from '../../i18n';
import { formatMoney } from '../../i18n/money';
import { serverNow } from '../../time/clock';
import { useNow } from '../../time/useNow';
import { type CartLine, mostOf, type Obstacle, obstacleOf, sumOf } from '../buy/cart';
import { saleRead } from '../buy/reads';
import { cartChanges, useCart } from '../buy/useCart';
import { useCheckout } from '../buy/useCheckout';
import { Cross } from '../parts/art';
import { Countdown } from '../parts/Countdown';
import { Goods } from '../parts/Goods';
import { Head } from '../parts/Head';
import { HowMany } from '../parts/HowMany';
import { Empty, Failed, Loading } from '../parts/states';
import { signInPath, useSession } from '../session';
import { nextTurn } from '../standing';
import { useText } from '../text';
import { CaptchaDialog } from './CaptchaDialog';
import { Queueing, Wrong } from './Trying';
import '../style/sale.css';

interface Known {
  line: CartLine;
  sale: SaleBody;
}

export default function Cart() {
  const { t } = useText();
  const { me, asking } = useSession();
  const cart = useCart();
  const reads = useQueries({ queries: cart.map((line) => saleRead(line.sale)) });
  const failed = reads.find(({ data, error }) => !data && error && !hasCode(error, 'not_found'));
  const known = cart.flatMap((line, at): Known[] => {
    const sale = reads[at]?.data;
    return sale ? [{ line, sale }] : [];
  });
  const lost = cart.filter((_, at) => hasCode(reads[at]?.error, 'not_found') && !reads[at]?.data);
  const all = known.length + lost.length === cart.length;
  return (
    <>
      <Head title={t('cart.title')} back="/" />
      {failed && <Failed error={failed.error} retry={() => void failed.refetch()} />}
      {(!all || asking) && !failed && <Loading />}
      {all && !asking && <Filled key={me?.id ?? ''} known={known} lost={lost} signedIn={me !== undefined} />}
    </>
  );
}

function Filled({ known, lost, signedIn }: { known: Known[]; lost: CartLine[]; signedIn: boolean }) {
  const { t, language } = useText();
  const navigate = useNavigate();
  const checkout = useCheckout(signedIn, (order, sales) => {
    for (const sale of sales) cartChanges.drop(sale);
    void navigate(`/orders/${order}`);
  });
  const { step, error, blamed } = checkout;
  // Drawn anew when the next of them starts or ends.
  const now = useNow(Math.min(...known.map(({ sale }) => nextTurn(sale, serverNow()) ?? sale.until_ms)));
  if (step.at === 'queued') return <Queueing {...step.queued} />;
  if (known.length + lost.length === 0) {
    return (
      <Empty title={t('cart.empty')}>
        <Link to="/" className="button">
          {t('orders.browse')}
        </Link>
      </Empty>
    );
  }
  const sum = sumOf(known);
  const obstacles = known.map(({ line, sale }) => obstacleOf(line, sale, now));
  const ready = lost.length === 0 && obstacles.every((one) => one === undefined) && sum !== undefined;
  const reading = step.at === 'reading' ? step : undefined;
  return (
    <>
      <ul className="rows cart">
        {known.map((one, at) => (
          <Line key={one.sale.id} {...one} obstacle={obstacles[at]} />
        ))}
        {lost.map((line) => (
          <li key={line.sale} className="row cart-line">
            <span className="row-words">
              <b>{t('cart.lost')}</b>
            </span>
            <Remove sale={line.sale} name={t('cart.lost')} />
          </li>
        ))}
        {sum && (
          <li className="row total">
            <span className="row-words">{t('order.total')}</span>
            <b className="amount" data-testid="cart-total">
              {formatMoney(sum.minor, sum.currency, language)}
            </b>
          </li>
        )}
      </ul>
      <p className="quiet cart-promise">{t('cart.promise')}</p>
      {!sum && known.length > 0 && <p role="status">{t('cart.currencies')}</p>}
      {signedIn ? (
        <button
          type="button"
          className="button primary wide big"
          disabled={!ready || step.at !== 'resting'}
          onClick={() => checkout.order(known)}
        >
          {step.at === 'asking' || !sum
            ? t(sum ? 'wait' : 'cart.order')
            : t('cart.orderFor', { price: formatMoney(sum.minor, sum.currency, language) })}
        </button>
      ) : (
        <Link to={signInPath('/cart')} className="button primary wide big">
          {t('buy.signIn')}
        </Link>
      )}
      {error !== undefined && !reading && (
        <div className="cart-wrong">
          {blamed && <b>{blamed.item.name}</b>}
          <Wrong error={error} open={checkout.open} />
          <p className="quiet">{t('cart.nothing')}</p>
        </div>
      )}
      {reading && (
        <CaptchaDialog
          key={reading.sale.id}
          sale={reading.sale.id}
          about={reading.sale.item.name}
          busy={reading.busy}
          error={error}
          onClose={checkout.stopReading}
          onAnswer={checkout.answer}
        />
      )}
    </>
  );
}

function Line({ line, sale, obstacle }: Known & { obstacle: Obstacle | undefined }) {
  const { t, language } = useText();
  const { name, kind, pictures } = sale.item;
  const most = mostOf(sale);
  return (
    <li className="row cart-line" data-obstacle={obstacle}>
      <Link to={`/sales/${sale.id}`} className="cart-what">
        <Goods kind={kind} picture={pictures[0]} width={320} />
        <span className="row-words">
          <b>{name}</b>
          <small>{formatMoney(sale.price_minor, sale.currency, language)}</small>
          {obstacle === 'soon' && <Countdown to={sale.from_ms} label={t('home.startsIn')} />}
          {obstacle && obstacle !== 'soon' && (
            <small className="obstacle">
              {t(`cart.not.${obstacle}`, { left: formatNumber(sale.left, language) })}
            </small>
          )}
        </span>
      </Link>
      {most > 1 && (
        <HowMany
          label={t('cart.howMany', { name })}
          most={most}
          value={line.quantity}
          change={(quantity) => cartChanges.put(sale.id, quantity)}
        />
      )}
      <Remove sale={sale.id} name={name} />
    </li>
  );
}

function Remove({ sale, name }: { sale: string; name: string }) {
  const { t } = useText();
  return (
    <button
      type="button"
      className="icon-button"
      aria-label={t('cart.remove', { name })}
      onClick={() => cartChanges.drop(sale)}
    >
      <Cross />
    </button>
  );
}
