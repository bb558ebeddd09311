// What comes of trying to buy, at one sale or with a cart: taken in and not decided, or refused.
import { Link } from 'react-router';
import { hasCode } from '../../api/problem';
import { formatNumber } from '../../i18n';
import type { Queued } from '../buy/attempt';
import { Spark } from '../parts/art';
import { Refused } from '../parts/states';
import { useText } from '../text';

/** The server's words, and what can be done. `open`: it may have been ordered all the same. */
export function Wrong({ error, open }: { error: unknown; open: boolean }) {
  const { t } = useText();
  return (
    <>
      <Refused error={error} />
      {open && <p className="quiet">{t('buy.open')}</p>}
      {hasCode(error, 'limit_reached', 'attempt_under_way') && (
        <Link to="/me/orders" className="text-link">
          {t('orders.link')}
        </Link>
      )}
    </>
  );
}

/** Taken in, not decided: honest about both. */
export function Queueing({ waiting, lost }: Queued) {
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
