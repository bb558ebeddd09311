import type { CommentSubject } from '../../api/wire';

/** The players' page on which a text is read; moderators see it there in any state. */
export function threadPath(on: CommentSubject, thread: string): string {
  if (on === 'post') return `/posts/${thread}`;
  if (on === 'person') return `/members/${thread}`;
  return `/activities/${thread}`;
}
