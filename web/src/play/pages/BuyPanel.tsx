// The button, and everything that comes of pressing it.
import { useRef, useState } from 'react';
import { Link, useLocation, useNavigate } from 'react-router';
import { hasCode } from '../../api/problem';
import type { SaleBody } from '../../api/wire';
import { formatMoney } from '../../i18n/money';
import { useNow } from '../../time/useNow';
import { goesWithOthers, mostOf } from '../buy/cart';
import { useBuying } from '../buy/useBuying';
import { HowMany } from '../parts/HowMany';
import { signInPath, useSession } from '../session';
import type { Standing } from '../standing';
import { useText } from '../text';
import { CaptchaDialog } from './CaptchaDialog';
import { IntoCart } from './IntoCart';
import { PriceDialog } from './PriceDialog';
import { Remind } from './Remind';
import { RoomCard } from './RoomCard';
import { Queueing, Wrong } from './Trying';

/** The waiting room opens so long before the start. */
const ROOM_BEFORE_MS = 600_000;

export function BuyPanel({ sale, standing }: { sale: SaleBody; standing: Standing }) {
  const { me } = useSession();
  return (
    <section className="buy">
      {me ? <Panel key={me.id} sale={sale} standing={standing} /> : <Stranger standing={standing} />}
    </section>
  );
}

function Stranger({ standing }: { standing: Standing }) {
  const { t } = useText();
  const { pathname } = useLocation();
  if (standing === 'over') return null;
  return (
    <Link to={signInPath(pathname)} className="button primary wide big">
      {t(standing === 'soon' ? 'buy.signInSoon' : 'buy.signIn')}
    </Link>
  );
}

function Panel({ sale, standing }: { sale: SaleBody; standing: Standing }) {
  const { t, language } = useText();
  const navigate = useNavigate();
  const [quantity, setQuantity] = useState(1);
  /** What one cost when the button was pressed. */
  const shown = useRef(sale.price_minor);
  const buy = () => {
    shown.current = sale.price_minor;
    buying.buy(quantity);
  };
  const buying = useBuying(sale, true, (order) => void navigate(`/orders/${order}`));
  const { step, room, error } = buying;
  const roomOpens = useNow(sale.from_ms - ROOM_BEFORE_MS) >= sale.from_ms - ROOM_BEFORE_MS;
  const admitted =
    typeof room === 'object' && 'body' in room && room.body.state === 'admitted' ? room.body : undefined;
  const inRoom =
    room !== undefined && !(typeof room === 'object' && 'body' in room && room.body.state === 'left');
  const most = mostOf(sale);
  const newPrice = hasCode(error, 'price_changed') ? error.priceMinor : undefined;
  const reading = step.at === 'reading' || (step.at === 'asking' && sale.gate.captcha);

  if (step.at === 'queued') return <Queueing {...step.queued} />;
  if (standing === 'over') return null;
  const mayPress = standing === 'running' && (!sale.sold_out || admitted !== undefined);
  const needsRoom = sale.gate.room && !admitted;
  return (
    <>
      {room !== undefined && sale.gate.room && <RoomCard view={room} again={buying.join} />}
      {standing === 'soon' && <Remind sale={sale} first={!(sale.gate.room && roomOpens)} />}
      {needsRoom && !inRoom && (standing === 'running' || (standing === 'soon' && roomOpens)) && (
        <button
          type="button"
          className="button primary wide big"
          disabled={sale.sold_out}
          onClick={buying.join}
        >
          {sale.sold_out ? t('sale.gone') : t(standing === 'soon' ? 'room.early' : 'room.join')}
        </button>
      )}
      {!needsRoom && standing !== 'soon' && (
        <div className="buy-row" data-testid="buy-bar">
          {most > 1 && (
            <HowMany label={t('buy.quantity')} most={most} value={quantity} change={setQuantity} />
          )}
          <button
            type="button"
            className="button primary wide big"
            disabled={!mayPress || step.at !== 'resting'}
            onClick={buy}
          >
            {step.at === 'asking'
              ? t('wait')
              : sale.sold_out && !admitted
                ? t('sale.gone')
                : t('buy.buy', { price: formatMoney(sale.price_minor * quantity, sale.currency, language) })}
          </button>
        </div>
      )}
      {goesWithOthers(sale) && !sale.sold_out && <IntoCart sale={sale} quantity={quantity} />}
      {sale.sold_out && standing === 'running' && !inRoom && <p className="quiet">{t('sale.goneText')}</p>}
      {error !== undefined && !reading && newPrice === undefined && (
        <Wrong error={error} open={buying.open} />
      )}
      {newPrice !== undefined && step.at === 'resting' && (
        <PriceDialog
          sale={sale}
          was={shown.current}
          now={newPrice}
          quantity={quantity}
          onBuy={buy}
          onClose={buying.dismiss}
        />
      )}
      {reading && (
        <CaptchaDialog
          sale={sale.id}
          busy={step.at === 'asking'}
          error={error}
          onClose={buying.stopReading}
          onAnswer={(captcha) => buying.answer(quantity, captcha)}
        />
      )}
    </>
  );
}
