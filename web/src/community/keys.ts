// The keys of everything the community's pages read. They begin with `mine`: what somebody sees depends on who they are
// (likes, blocks, posts of their own), so all of it is forgotten at sign-in and sign-out.
//
// Everything under `posts` shows posts, and under `comments` comments: what is done to one is shown in all of them at once.

export type ListName = 'latest' | 'following' | 'hot' | 'featured';

export const communityKeys = {
  all: ['mine', 'community'],
  posts: ['mine', 'community', 'posts'],
  list: (name: ListName) => ['mine', 'community', 'posts', 'list', name],
  postsOf: (person: string) => ['mine', 'community', 'posts', 'of', person],
  post: (id: string) => ['mine', 'community', 'posts', 'one', id],
  comments: ['mine', 'community', 'comments'],
  thread: (post: string, order: CommentOrder) => ['mine', 'community', 'comments', 'thread', post, order],
  replies: (comment: string) => ['mine', 'community', 'comments', 'replies', comment],
  history: (id: string) => ['mine', 'community', 'history', id],
  preview: (body: string) => ['mine', 'community', 'preview', body],
  checkIns: ['mine', 'community', 'check-in'],
  checkIn: (month: string) => ['mine', 'community', 'check-in', month],
  tasks: ['mine', 'community', 'tasks'],
  invites: ['mine', 'community', 'invites'],
  inviter: (code: string) => ['mine', 'community', 'inviter', code],
  member: (id: string) => ['mine', 'community', 'member', id],
  people: (list: PersonListName, id: string) => ['mine', 'community', 'people', list, id],
  search: (query: string, kind: string) => ['mine', 'community', 'search', kind, query],
  news: ['mine', 'community', 'news'],
  notifications: ['mine', 'community', 'news', 'notifications'],
  decisions: ['mine', 'community', 'decisions'],
  notificationSettings: ['mine', 'community', 'notification-settings'],
  conversations: ['mine', 'community', 'news', 'conversations'],
  conversation: (person: string) => ['mine', 'community', 'news', 'conversation', person],
} as const;

/** How the comments on a post are sorted. */
export type CommentOrder = 'newest' | 'top';

export type PersonListName = 'followers' | 'following' | 'likers' | 'blocked';
