import type { AccountBody, ModerationAct, PostBody } from '../api/wire';

/** Whether somebody may judge posts. The server has the last word. */
export function canModerate(me: AccountBody | undefined): boolean {
  return me?.roles.some((role) => role === 'moderator' || role === 'admin') ?? false;
}

/** The acts that would change something about a post, for somebody who did not write it. */
export function actsFor(post: PostBody): ModerationAct[] {
  if (post.state === 'deleted') return [];
  const lock: ModerationAct = post.locked ? 'unlock' : 'lock';
  if (post.state !== 'visible')
    return post.state === 'held' ? ['restore', 'remove', lock] : ['restore', lock];
  return [post.pinned ? 'unpin' : 'pin', post.featured ? 'unfeature' : 'feature', lock, 'remove'];
}
