// What came for me: notifications, messages, and what I want to hear about.
import { NavLink, Route, Routes, useMatch } from 'react-router';
import Lost from '../../play/pages/Lost';
import { Head } from '../../play/parts/Head';
import { useText } from '../../play/text';
import { GearIcon } from '../parts/icons';
import { useNews } from '../useNews';
import Conversation from './Conversation';
import { Conversations } from './Conversations';
import styles from './Inbox.module.css';
import { NotificationSettings } from './NotificationSettings';
import { Notifications } from './Notifications';

export default function Inbox() {
  const one = useMatch('/inbox/messages/:id');
  return one ? <Conversation key={one.params.id} id={one.params.id ?? ''} /> : <Lists />;
}

function Lists() {
  const { t } = useText();
  const { notifications, messages } = useNews();
  const tab = (to: string, name: string, count: number) => (
    <NavLink to={to} end aria-label={count > 0 ? t('inbox.unread', { name, count }) : name}>
      <span>
        {name}
        {count > 0 && <span className={styles.dot} />}
      </span>
    </NavLink>
  );
  return (
    <>
      <Head title={t('inbox.parts')} back="/community">
        <NavLink
          to="/inbox/settings"
          className={`icon-button ${styles.gear}`}
          aria-label={t('settings.title')}
        >
          <GearIcon />
        </NavLink>
      </Head>
      <nav className={styles.tabs} aria-label={t('inbox.parts')}>
        {tab('/inbox', t('inbox.notifications'), notifications)}
        {tab('/inbox/messages', t('inbox.messages'), messages)}
      </nav>
      <Routes>
        <Route index element={<Notifications />} />
        <Route path="messages" element={<Conversations />} />
        <Route path="settings" element={<NotificationSettings />} />
        <Route path="*" element={<Lost />} />
      </Routes>
    </>
  );
}
