// What the community's pages read, each query with its key.

import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api, read } from '../api/client';
import type { ListPage } from '../api/polled';
import type { PrivateMessagesBody } from '../api/wire';
import type { SearchKindName } from './found';
import { type CommentOrder, communityKeys, type ListName, type PersonListName } from './keys';

const POSTS = 20;
const PEOPLE = 50;
const COMMENTS = 10;
const REPLIES = 50;
/** A text that was rendered is rendered the same for the rest of the visit. */
const PREVIEW_KEPT_MS = 60_000;

const query = (limit: number, after: string) => ({ limit, ...(after && { after }) });

const LISTS = {
  latest: '/posts',
  following: '/me/timeline',
  hot: '/posts/hot',
  featured: '/posts/featured',
} as const;

const pages = {
  initialPageParam: '',
  getNextPageParam: (page: ListPage<unknown>) => page.next ?? undefined,
};

export const postsRead = (name: ListName) =>
  infiniteQueryOptions({
    queryKey: communityKeys.list(name),
    queryFn: read((signal, after: string) =>
      api.GET(LISTS[name], { signal, params: { query: query(POSTS, after) } }),
    ),
    ...pages,
  });

/** Somebody's posts; my own also where others do not see them. */
export const postsOfRead = (id: string, mine: boolean) =>
  infiniteQueryOptions({
    queryKey: communityKeys.postsOf(id),
    queryFn: read((signal, after: string) =>
      mine
        ? api.GET('/me/posts', { signal, params: { query: query(POSTS, after) } })
        : api.GET('/users/{id}/posts', { signal, params: { path: { id }, query: query(POSTS, after) } }),
    ),
    ...pages,
  });

export const postRead = (id: string) =>
  queryOptions({
    queryKey: communityKeys.post(id),
    queryFn: read((signal) => api.GET('/posts/{id}', { signal, params: { path: { id } } })),
  });

const THREADS = {
  newest: '/threads/{on}/{id}/comments',
  top: '/threads/{on}/{id}/comments/top',
} as const;

/** The comments on a post itself; what is under each is a list of its own. */
export const threadRead = (post: string, order: CommentOrder) =>
  infiniteQueryOptions({
    queryKey: communityKeys.thread(post, order),
    queryFn: read((signal, after: string) =>
      api.GET(THREADS[order], {
        signal,
        params: { path: { on: 'post', id: post }, query: query(COMMENTS, after) },
      }),
    ),
    ...pages,
  });

/** Everything under a comment, oldest first. */
export const repliesRead = (comment: string) =>
  infiniteQueryOptions({
    queryKey: communityKeys.replies(comment),
    queryFn: read((signal, after: string) =>
      api.GET('/comments/{id}/replies', {
        signal,
        params: { path: { id: comment }, query: query(REPLIES, after) },
      }),
    ),
    ...pages,
  });

/** For moderators: a post in any state, and what it said before. */
export const historyRead = (id: string, moderates: boolean) =>
  queryOptions({
    queryKey: communityKeys.history(id),
    queryFn: read((signal) => api.GET('/admin/posts/{id}', { signal, params: { path: { id } } })),
    enabled: moderates,
  });

export const previewRead = (body: string) =>
  queryOptions({
    queryKey: communityKeys.preview(body),
    queryFn: read((signal) => api.POST('/posts/preview', { signal, body: { body } })),
    enabled: body.trim() !== '',
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: PREVIEW_KEPT_MS,
    refetchOnWindowFocus: false,
  });

export const memberRead = (id: string | undefined) =>
  queryOptions({
    queryKey: communityKeys.member(id ?? ''),
    queryFn: read((signal) => api.GET('/members/{id}', { signal, params: { path: { id: id ?? '' } } })),
    enabled: id !== undefined,
  });

const FOUND = 20;

/** What answers a query. */
export const searchRead = (q: string, kind: SearchKindName) =>
  infiniteQueryOptions({
    queryKey: communityKeys.search(q, kind),
    queryFn: read((signal, after: string) =>
      api.GET('/search', { signal, params: { query: { q, kind, ...query(FOUND, after) } } }),
    ),
    ...pages,
  });

const NOTIFICATIONS = 20;
const CONVERSATIONS = 30;
const MESSAGES = 30;

export const notificationsRead = infiniteQueryOptions({
  queryKey: communityKeys.notifications,
  queryFn: read((signal, after: string) =>
    api.GET('/me/notifications', { signal, params: { query: query(NOTIFICATIONS, after) } }),
  ),
  ...pages,
});

export const notificationSettingsRead = queryOptions({
  queryKey: communityKeys.notificationSettings,
  queryFn: read((signal) => api.GET('/me/notification-settings', { signal })),
});

export const conversationsRead = infiniteQueryOptions({
  queryKey: communityKeys.conversations,
  queryFn: read((signal, after: string) =>
    api.GET('/me/conversations', { signal, params: { query: query(CONVERSATIONS, after) } }),
  ),
  ...pages,
});

/** A conversation, the newest first; what is further down is older. */
export const conversationRead = (id: string) =>
  infiniteQueryOptions({
    queryKey: communityKeys.conversation(id),
    queryFn: read((signal, before: number) =>
      api.GET('/users/{id}/messages', {
        signal,
        params: { path: { id }, query: { limit: MESSAGES, ...(before > 0 && { before }) } },
      }),
    ),
    initialPageParam: 0,
    getNextPageParam: (page: PrivateMessagesBody) => (page.more ? page.items.at(-1)?.n : undefined),
  });

function askPeople(list: PersonListName, id: string, signal: AbortSignal, after: string) {
  const params = { path: { id }, query: query(PEOPLE, after) };
  switch (list) {
    case 'followers':
      return api.GET('/users/{id}/followers', { signal, params });
    case 'following':
      return api.GET('/users/{id}/following', { signal, params });
    case 'likers':
      return api.GET('/posts/{id}/likes', { signal, params });
    case 'blocked':
      return api.GET('/me/blocks', { signal, params: { query: params.query } });
  }
}

export const peopleRead = (list: PersonListName, id: string) =>
  infiniteQueryOptions({
    queryKey: communityKeys.people(list, id),
    queryFn: read((signal, after: string) => askPeople(list, id, signal, after)),
    ...pages,
  });

/** My check-ins of a month; the current one without it. */
export const checkInRead = (month = '') =>
  queryOptions({
    queryKey: communityKeys.checkIn(month),
    queryFn: read((signal) => api.GET('/me/check-in', { signal, params: { query: month ? { month } : {} } })),
  });

/** What was done is worth something a moment later: looked at again while somebody looks. */
const TASKS_AGAIN_MS = 3_000;

export const tasksRead = queryOptions({
  queryKey: communityKeys.tasks,
  queryFn: read((signal) => api.GET('/me/tasks', { signal })),
  refetchInterval: TASKS_AGAIN_MS,
});

export const invitesRead = queryOptions({
  queryKey: communityKeys.invites,
  queryFn: read((signal) => api.GET('/me/invites', { signal })),
});

/** Who invites with a code. */
export const inviterRead = (code: string) =>
  queryOptions({
    queryKey: communityKeys.inviter(code),
    queryFn: read((signal) => api.GET('/invites/{code}', { signal, params: { path: { code } } })),
  });

/** What moderators removed of mine. */
export const decisionsRead = queryOptions({
  queryKey: communityKeys.decisions,
  queryFn: read((signal) => api.GET('/me/decisions', { signal })),
});
