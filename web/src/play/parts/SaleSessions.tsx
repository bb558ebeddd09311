import { useState } from 'react';
import type { SaleBody } from '../../api/wire';
import { formatDay, formatHour, isLaterDay } from '../../i18n';
import { type SessionKey, sessionsOf } from '../buy/hours';
import { useText } from '../text';
import { SaleCard } from './SaleCard';
import styles from './SaleSessions.module.css';

/** What can be bought, what soon can be, what is sold out, in this order; by sessions where there are several. */
export function SaleSessions({ sales, now }: { sales: SaleBody[]; now: number }) {
  const { t, language } = useText();
  const [chosen, setChosen] = useState<SessionKey>();
  const sessions = sessionsOf(sales, now);
  const session = sessions.find(({ key }) => key === chosen) ?? sessions[0];
  if (!session) return null;
  const name = (key: SessionKey) => {
    if (key === 'now') return t('hours.now');
    if (key === 'over') return t('hours.over');
    const time = formatHour(key, language);
    return isLaterDay(key, now) ? t('hours.later', { day: formatDay(key, language), time }) : time;
  };
  return (
    <section className="section">
      <h2>{t('home.sales')}</h2>
      {sessions.length > 1 && (
        <fieldset className={styles.sessions} aria-label={t('hours.label')}>
          {sessions.map(({ key }) => (
            <button key={key} type="button" aria-pressed={key === session.key} onClick={() => setChosen(key)}>
              {name(key)}
            </button>
          ))}
        </fieldset>
      )}
      <ul className="sale-cards">
        {session.sales.map((sale) => (
          <li key={sale.id}>
            <SaleCard sale={sale} />
          </li>
        ))}
      </ul>
    </section>
  );
}
