import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Link } from 'react-router';
import { api, ask } from '../../api/client';
import type { NotificationBody } from '../../api/wire';
import { Empty, Failed, Loading } from '../../play/parts/states';
import { useText } from '../../play/text';
import { noticePath, noticeText } from '../noticeText';
import { Age } from '../parts/Byline';
import { Face } from '../parts/Face';
import { BellIcon } from '../parts/icons';
import { MoreInSight } from '../parts/MoreInSight';
import { notificationsRead } from '../reads';
import styles from './Notifications.module.css';

/** What I hear about, newest first. What is shown counts as seen; what was new stays marked until the page is left. */
export function Notifications() {
  const { t } = useText();
  const query = useInfiniteQuery(notificationsRead);
  const notices = query.data?.pages.flatMap((page) => page.items) ?? [];
  const news = useSeen(notices);
  if (query.isPending) return <Loading />;
  if (!query.data) return <Failed error={query.error} retry={() => void query.refetch()} />;
  if (notices.length === 0 && !query.hasNextPage)
    return (
      <Empty title={t('notice.empty')}>
        <p>{t('notice.emptyText')}</p>
      </Empty>
    );
  return (
    <>
      <ul className={styles.list}>
        {notices.map((notice) => (
          <li key={`${notice.kind} ${notice.about} ${notice.about_id}`}>
            <Notice notice={notice} fresh={news.has(notice.id)} />
          </li>
        ))}
      </ul>
      <MoreInSight query={query} />
    </>
  );
}

/** Tells the server what was seen; answers the ids of what was new when it was shown. */
function useSeen(notices: readonly NotificationBody[]): ReadonlySet<string> {
  const client = useQueryClient();
  const [news, setNews] = useState<ReadonlySet<string>>(new Set());
  const { mutate } = useMutation({
    mutationFn: (until: string) =>
      ask((signal) => api.POST('/me/notifications/read', { signal, body: { until } })),
  });
  const unread = notices.filter((notice) => notice.unread).map((notice) => notice.id);
  const newest = notices[0]?.id;
  const fresh = unread.join(' ');
  useEffect(() => {
    if (fresh === '' || newest === undefined) return;
    setNews((before) => new Set([...before, ...fresh.split(' ')]));
    mutate(newest);
  }, [fresh, newest, mutate]);
  // A list that is shown again later begins with what the server says then.
  useEffect(() => () => client.removeQueries({ queryKey: notificationsRead.queryKey }), [client]);
  return news;
}

function Notice({ notice, fresh }: { notice: NotificationBody; fresh: boolean }) {
  const { t, language } = useText();
  const [person] = notice.people;
  const title = (language === 'en' && notice.title_en) || notice.title;
  return (
    <Link to={noticePath(notice)} className={styles.notice} data-fresh={fresh}>
      {person ? (
        <Face person={person} />
      ) : (
        <span className={styles.sign} aria-hidden="true">
          <BellIcon />
        </span>
      )}
      <span className={styles.words}>
        <span>
          {noticeText(notice, t, language)}
          {fresh && <span className={styles.fresh}>{t('notice.new')}</span>}
        </span>
        {notice.text && <span className={styles.said}>{notice.text}</span>}
        {title && <span className={styles.about}>{title}</span>}
        <small>
          <Age at={notice.at_ms} />
        </small>
      </span>
    </Link>
  );
}
