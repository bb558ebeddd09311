import { expect, test } from 'vitest';
import type { NotificationBody } from '../api/wire';
import type { Say } from '../play/text';
import { noticePath, noticePeople, noticeText } from './noticeText';

/** Says the key and what is filled in. */
const t: Say = (key, values) => (values ? `${key} ${JSON.stringify(values)}` : key);

const person = (name: string) => ({ id: name, name, avatar: '', level: 1 });

const notice = (change: Partial<NotificationBody>): NotificationBody => ({
  id: '1-1',
  kind: 'like',
  about: 'post',
  about_id: '5',
  object: '5',
  people: [person('Ming')],
  people_count: 1,
  times: 1,
  unread: true,
  at_ms: 0,
  on: 'post',
  subject: '5',
  ...change,
});

test.each([
  [notice({ people: [], people_count: 0 }), 'notice.nobody'],
  [notice({}), 'Ming'],
  [
    notice({ people: [person('Ming'), person('Lily')], people_count: 2 }),
    'notice.two {"name":"Ming","other":"Lily"}',
  ],
  [
    notice({ people: [person('Ming'), person('Lily'), person('Wei')], people_count: 13 }),
    'notice.many {"name":"Ming","count":12,"number":"12"}',
  ],
])('people %#', (one, expected) => {
  expect(noticePeople(one, t, 'en')).toBe(expected);
});

test.each([
  [notice({}), 'notice.like.post {"who":"Ming"}', '/posts/5'],
  [notice({ about: 'comment' }), 'notice.like.comment {"who":"Ming"}', '/posts/5'],
  [
    notice({ kind: 'comment', about: 'person', on: 'person', subject: '9' }),
    'notice.comment.person {"who":"Ming"}',
    '/members/9',
  ],
  [notice({ kind: 'follow', about: 'person' }), 'notice.follow {"who":"Ming"}', '/members/Ming'],
  [
    notice({ kind: 'message', about: 'person', about_id: '3' }),
    'notice.message {"who":"Ming"}',
    '/inbox/messages/3',
  ],
  [notice({ kind: 'win', people: [], times: 2, on: 'activity' }), 'notice.win {"count":2}', '/me/wins'],
  [notice({ kind: 'moderation', people: [], state: 'removed' }), 'notice.removed.post', '/me/decisions'],
  [notice({ kind: 'moderation', people: [], state: 'visible' }), 'notice.restored.post', '/posts/5'],
  [
    notice({ kind: 'reminder', people: [], on: 'activity', subject: '4' }),
    'notice.reminder',
    '/activities/4',
  ],
])('%#', (one, text, path) => {
  expect(noticeText(one, t, 'en')).toBe(text);
  expect(noticePath(one)).toBe(path);
});
