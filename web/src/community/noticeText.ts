// What a notification says, and where it leads.
import type { NotificationBody } from '../api/wire';
import { formatNumber, type Language } from '../i18n';
import { shownName } from '../play/people';
import type { Say } from '../play/text';

/** “Ming”, “Ming and Lily”, “Ming and 12 others”. */
export function noticePeople(notice: NotificationBody, t: Say, language: Language): string {
  const [first, second] = notice.people;
  if (!first) return t('notice.nobody');
  const name = shownName(first.name, t);
  const others = Math.max(notice.people_count, notice.people.length) - 1;
  if (others === 0) return name;
  if (others === 1 && second) return t('notice.two', { name, other: shownName(second.name, t) });
  return t('notice.many', { name, count: others, number: formatNumber(others, language) });
}

/** The sentence of a notification. */
export function noticeText(notice: NotificationBody, t: Say, language: Language): string {
  const who = noticePeople(notice, t, language);
  const on = notice.about === 'comment' ? 'comment' : 'post';
  switch (notice.kind) {
    case 'comment':
      return t(notice.about === 'person' ? 'notice.comment.person' : 'notice.comment.post', { who });
    case 'reply':
      return t('notice.reply', { who });
    case 'mention':
      return t(`notice.mention.${on}`, { who });
    case 'like':
      return t(`notice.like.${on}`, { who });
    case 'follow':
      return t('notice.follow', { who });
    case 'message':
      return t('notice.message', { who });
    case 'win':
      return t('notice.win', { count: notice.times });
    case 'shipping':
      return t('notice.shipping');
    case 'moderation':
      return t(notice.state === 'visible' ? `notice.restored.${on}` : `notice.removed.${on}`);
    case 'reminder':
      return t('notice.reminder');
  }
}

/** The page that a notification speaks of. */
export function noticePath(notice: NotificationBody): string {
  const person = notice.people[0]?.id;
  switch (notice.kind) {
    case 'follow':
      return person ? `/members/${person}` : '/inbox';
    case 'message':
      return `/inbox/messages/${notice.about_id}`;
    case 'win':
      return '/me/wins';
    case 'shipping':
      return '/me/wins';
    case 'comment':
    case 'reply':
    case 'mention':
    case 'like':
    case 'moderation':
      return notice.state === 'removed' ? '/me/decisions' : threadPath(notice);
    case 'reminder':
      return threadPath(notice);
  }
}

function threadPath({ on, subject }: NotificationBody): string {
  if (on === 'post') return `/posts/${subject}`;
  if (on === 'person') return `/members/${subject}`;
  return `/activities/${subject}`;
}
