// The button, and everything that comes of pressing it.
import { useState } from 'react';
import { Link, useLocation, useNavigate } from 'react-router';
import { hasCode } from '../../api/problem';
import type { SaleBody } from '../../api/wire';
import { formatNumber, useText } from '../../i18n';
import { formatMoney } from '../../i18n/money';
import { useNow } from '../../time/useNow';
import { isOpen, useBuying } from '../buy/useBuying';
import { Spark } from '../parts/art';
import { Refused } from '../parts/states';
import { signInPath, useSession } from '../session';
import type { Standing } from '../standing';
import { CaptchaDialog } from './CaptchaDialog';
import { Remind } from './Remind';
import { RoomCard } from './RoomCard';

/** Units in one order where nobody limits them: more is no flash sale but a purchase order. */
const QUANTITY_MAX = 10;
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
  const { me } = useSession();
  const navigate = useNavigate();
  const [quantity, setQuantity] = useState(1);
  const buying = useBuying(sale, true, (order) => void navigate(`/orders/${order}`));
  const { step, room, error } = buying;
  const roomOpens = useNow(sale.from_ms - ROOM_BEFORE_MS) >= sale.from_ms - ROOM_BEFORE_MS;
  const admitted =
    typeof room === 'object' && 'body' in room && room.body.state === 'admitted' ? room.body : undefined;
  const inRoom =
    room !== undefined && !(typeof room === 'object' && 'body' in room && room.body.state === 'left');
  const most = Math.max(1, Math.min(sale.per_user ?? QUANTITY_MAX, QUANTITY_MAX));
  const banned = me?.ban != null;
  const reading = step.at === 'reading' || (step.at === 'asking' && sale.gate.captcha);

  if (step.at === 'queued') return <Queueing waiting={step.queued.waiting} lost={step.queued.lost} />;
  if (standing === 'over') return null;
  const mayPress = standing === 'running' && !banned && (!sale.sold_out || admitted !== undefined);
  const needsRoom = sale.gate.room && !admitted;
  return (
    <>
      {room !== undefined && sale.gate.room && <RoomCard view={room} again={buying.join} />}
      {standing === 'soon' && <Remind sale={sale} first={!(sale.gate.room && roomOpens)} />}
      {needsRoom && !inRoom && (standing === 'running' || (standing === 'soon' && roomOpens)) && (
        <button
          type="button"
          className="button primary wide big"
          disabled={banned || sale.sold_out}
          onClick={buying.join}
        >
          {sale.sold_out ? t('sale.gone') : t(standing === 'soon' ? 'room.early' : 'room.join')}
        </button>
      )}
      {!needsRoom && standing !== 'soon' && (
        <div className="buy-row">
          {most > 1 && (
            <label>
              <span className="unseen">{t('buy.quantity')}</span>
              <select value={quantity} onChange={(event) => setQuantity(Number(event.target.value))}>
                {Array.from({ length: most }, (_, before) => before + 1).map((count) => (
                  <option key={count} value={count}>
                    × {count}
                  </option>
                ))}
              </select>
            </label>
          )}
          <button
            type="button"
            className="button primary wide big"
            disabled={!mayPress || step.at !== 'resting'}
            onClick={() => buying.buy(quantity)}
          >
            {step.at === 'asking'
              ? t('wait')
              : sale.sold_out && !admitted
                ? t('sale.gone')
                : t('buy.buy', { price: formatMoney(sale.price_minor * quantity, sale.currency, language) })}
          </button>
        </div>
      )}
      {sale.sold_out && standing === 'running' && !inRoom && <p className="quiet">{t('sale.goneText')}</p>}
      {error !== undefined && !reading && <Wrong error={error} />}
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

/** The server's words, and what can be done. */
function Wrong({ error }: { error: unknown }) {
  const { t } = useText();
  return (
    <>
      <Refused error={error} />
      {isOpen(error) && <p className="quiet">{t('buy.open')}</p>}
      {hasCode(error, 'limit_reached', 'attempt_under_way') && (
        <Link to="/me/orders" className="text-link">
          {t('orders.link')}
        </Link>
      )}
    </>
  );
}

/** Taken in, not decided: honest about both. */
function Queueing({ waiting, lost }: { waiting: number | undefined; lost: boolean }) {
  const { t, language } = useText();
  return (
    <div className="queueing" role="status" data-testid="queued">
      <Spark />
      <b>{t('buy.queued')}</b>
      {waiting !== undefined && waiting > 1 && (
        <p>{t('buy.waiting', { count: waiting, number: formatNumber(waiting, language) })}</p>
      )}
      <p className="quiet">{t(lost ? 'buy.lost' : 'buy.queuedText')}</p>
    </div>
  );
}
