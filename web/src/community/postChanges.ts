// A post is shown in several reads at once: alone, and in lists. What changes about it changes in each of them.
import type { InfiniteData } from '@tanstack/react-query';
import type { ListPage } from '../api/polled';
import type { PostBody } from '../api/wire';

/** What the reads under `communityKeys.posts` hold. */
export type ShownPosts = PostBody | InfiniteData<ListPage<PostBody>>;

/** The same read with one post changed; a read without it stays as it is. */
export function withPost(shown: ShownPosts, id: string, change: (post: PostBody) => PostBody): ShownPosts {
  if (!('pages' in shown)) return shown.id === id ? change(shown) : shown;
  if (!shown.pages.some(({ items }) => items.some((post) => post.id === id))) return shown;
  const pages = shown.pages.map((page) => ({
    ...page,
    items: page.items.map((post) => (post.id === id ? change(post) : post)),
  }));
  return { ...shown, pages };
}

/** A list without a post. */
export function withoutPost(shown: ShownPosts, id: string): ShownPosts {
  if (!('pages' in shown)) return shown;
  const pages = shown.pages.map((page) => ({ ...page, items: page.items.filter((post) => post.id !== id) }));
  return { ...shown, pages };
}

/** Likes and unlikes count once, however often they are pressed. */
export function applyLike(post: PostBody, liked: boolean): PostBody {
  if (post.liked_by_me === liked) return post;
  return { ...post, liked_by_me: liked, likes: Math.max(0, post.likes + (liked ? 1 : -1)) };
}

export function applyVote(post: PostBody): PostBody {
  return post.voted_by_me ? post : { ...post, voted_by_me: true, votes: post.votes + 1 };
}
