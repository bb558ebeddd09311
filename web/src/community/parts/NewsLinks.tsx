import { Link } from 'react-router';
import { formatNumber } from '../../i18n';
import { useSession } from '../../play/session';
import { useText } from '../../play/text';
import { useNews } from '../useNews';
import { BellIcon, LetterIcon } from './icons';
import styles from './NewsLinks.module.css';

/** The ways to notifications and messages, each with how much is unread. */
export function NewsLinks() {
  const { t, language } = useText();
  const { me } = useSession();
  const { notifications, messages } = useNews();
  if (!me) return null;
  const link = (to: string, name: string, count: number, icon: React.ReactNode) => (
    <Link
      to={to}
      className={`icon-button ${styles.link}`}
      aria-label={count > 0 ? t('inbox.unread', { name, count }) : name}
    >
      {icon}
      {count > 0 && (
        <span className={styles.badge} aria-hidden="true">
          {count > BADGE_MAX ? `${BADGE_MAX}+` : formatNumber(count, language)}
        </span>
      )}
    </Link>
  );
  return (
    <nav className={styles.links} aria-label={t('inbox.parts')}>
      {link('/inbox', t('inbox.notifications'), notifications, <BellIcon />)}
      {link('/inbox/messages', t('inbox.messages'), messages, <LetterIcon />)}
    </nav>
  );
}

/** Nobody counts further. */
const BADGE_MAX = 99;
