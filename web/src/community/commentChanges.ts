import type { InfiniteData } from '@tanstack/react-query';
import type { ListPage } from '../api/polled';
import type { CommentBody } from '../api/wire';

/** What the reads under `communityKeys.comments` hold. */
export type ShownComments = InfiniteData<ListPage<CommentBody>>;

/** The same read with one comment changed. */
export function withComment(
  shown: ShownComments,
  id: string,
  change: (comment: CommentBody) => CommentBody,
): ShownComments {
  const pages = shown.pages.map((page) => ({
    ...page,
    items: page.items.map((comment) => (comment.id === id ? change(comment) : comment)),
  }));
  return { ...shown, pages };
}

/** Counts once, however often it is pressed. */
export function applyCommentLike(comment: CommentBody, liked: boolean): CommentBody {
  if (comment.liked_by_me === liked) return comment;
  return { ...comment, liked_by_me: liked, likes: Math.max(0, comment.likes + (liked ? 1 : -1)) };
}

/** How far a reply is moved in: enough to see the tree, not so far that a phone shows a word a line. */
const INDENT_MAX = 3;

export function indentOf(comment: Pick<CommentBody, 'depth'>): number {
  return Math.min(Math.max(0, comment.depth - 2), INDENT_MAX);
}
