import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { ConversationBody } from '../../api/wire';
import { formatNumber } from '../../i18n';
import { Empty, Failed, Loading } from '../../play/parts/states';
import { shownName } from '../../play/people';
import { useText } from '../../play/text';
import { Age } from '../parts/Byline';
import { Face } from '../parts/Face';
import { MoreInSight } from '../parts/MoreInSight';
import { conversationsRead } from '../reads';
import styles from './Conversations.module.css';

/** My conversations, those with the newest message first. */
export function Conversations() {
  const { t } = useText();
  const query = useInfiniteQuery(conversationsRead);
  const conversations = query.data?.pages.flatMap((page) => page.items) ?? [];
  if (query.isPending) return <Loading />;
  if (!query.data) return <Failed error={query.error} retry={() => void query.refetch()} />;
  if (conversations.length === 0 && !query.hasNextPage)
    return (
      <Empty title={t('messages.empty')}>
        <p>{t('messages.emptyText')}</p>
      </Empty>
    );
  return (
    <>
      <ul className={styles.list}>
        {conversations.map((conversation) => (
          <li key={conversation.id}>
            <Row conversation={conversation} />
          </li>
        ))}
      </ul>
      <MoreInSight query={query} />
    </>
  );
}

function Row({ conversation: { id, person, newest, unread } }: { conversation: ConversationBody }) {
  const { t, language } = useText();
  const name = person ? shownName(person.name, t) : t('person.nobody');
  return (
    <Link to={`/inbox/messages/${id}`} className={styles.row} data-unread={unread > 0}>
      <Face person={person} />
      <span className={styles.words}>
        <span className={styles.top}>
          <span className={styles.name}>{name}</span>
          <small>
            <Age at={newest.sent_at_ms} />
          </small>
        </span>
        <span className={styles.text}>
          {newest.mine && `${t('messages.mine')} `}
          {newest.text ?? t('messages.gone')}
        </span>
      </span>
      {unread > 0 && (
        <span className={styles.badge} role="img" aria-label={t('inbox.unread', { name, count: unread })}>
          {formatNumber(unread, language)}
        </span>
      )}
    </Link>
  );
}
