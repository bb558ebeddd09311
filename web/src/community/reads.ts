// What the community's pages read, each query with its key.

import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api, read } from '../api/client';
import type { ListPage } from '../api/polled';
import type { ListedPersonBody, PostBody } from '../api/wire';
import { communityKeys, type ListName, type PersonListName } from './keys';

const POSTS = 20;
const PEOPLE = 50;
/** A text that was rendered is rendered the same for the rest of the visit. */
const PREVIEW_KEPT_MS = 60_000;

type Ask<Row> = (context: { signal: AbortSignal; pageParam?: string }) => Promise<ListPage<Row>>;

const query = (limit: number, after: string) => ({ limit, ...(after && { after }) });

const LISTS: Record<ListName, Ask<PostBody>> = {
  latest: read((signal, after: string) =>
    api.GET('/posts', { signal, params: { query: query(POSTS, after) } }),
  ),
  hot: read((signal, after: string) =>
    api.GET('/posts/hot', { signal, params: { query: query(POSTS, after) } }),
  ),
  featured: read((signal, after: string) =>
    api.GET('/posts/featured', { signal, params: { query: query(POSTS, after) } }),
  ),
};

const pages = {
  initialPageParam: '',
  getNextPageParam: (page: ListPage<unknown>) => page.next ?? undefined,
};

export const postsRead = (name: ListName) =>
  infiniteQueryOptions({ queryKey: communityKeys.list(name), queryFn: LISTS[name], ...pages });

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

const PEOPLE_LISTS: Record<PersonListName, (id: string) => Ask<ListedPersonBody>> = {
  followers: (id) =>
    read((signal, after: string) =>
      api.GET('/users/{id}/followers', { signal, params: { path: { id }, query: query(PEOPLE, after) } }),
    ),
  following: (id) =>
    read((signal, after: string) =>
      api.GET('/users/{id}/following', { signal, params: { path: { id }, query: query(PEOPLE, after) } }),
    ),
  likers: (id) =>
    read((signal, after: string) =>
      api.GET('/posts/{id}/likes', { signal, params: { path: { id }, query: query(PEOPLE, after) } }),
    ),
  blocked: () =>
    read((signal, after: string) =>
      api.GET('/me/blocks', { signal, params: { query: query(PEOPLE, after) } }),
    ),
};

export const peopleRead = (list: PersonListName, id: string) =>
  infiniteQueryOptions({
    queryKey: communityKeys.people(list, id),
    queryFn: PEOPLE_LISTS[list](id),
    ...pages,
  });
