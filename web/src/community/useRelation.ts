import { useQueryClient } from '@tanstack/react-query';
import { api, ask } from '../api/client';
import { useOptimistic } from '../api/optimistic';
import type { MemberBody } from '../api/wire';
import { communityKeys } from './keys';

export type RelationWish = 'follow' | 'unfollow' | 'block' | 'unblock';

/** A member after a wish about them was granted. A block ends that I follow them; counts move only when something did. */
export function applyRelation(member: MemberBody, wish: RelationWish): MemberBody {
  const { relation } = member;
  if (!relation) return member;
  const following = wish === 'unblock' ? relation.following : wish === 'follow';
  const followers = Math.max(0, member.followers + Number(following) - Number(relation.following));
  const blocked = wish === 'block' || (relation.blocked && wish !== 'unblock');
  const follows_me = relation.follows_me && wish !== 'block';
  return { ...member, followers, relation: { following, follows_me, blocked, followers } };
}

/** Following and blocking somebody, shown at once. */
export function useRelation(id: string) {
  const client = useQueryClient();
  const params = { path: { id } };
  return useOptimistic<MemberBody, RelationWish>({
    queryKey: communityKeys.member(id),
    send: async (wish) => {
      await ask((signal) => {
        switch (wish) {
          case 'follow':
            return api.PUT('/users/{id}/follow', { signal, params });
          case 'unfollow':
            return api.DELETE('/users/{id}/follow', { signal, params });
          case 'block':
            return api.PUT('/users/{id}/block', { signal, params });
          case 'unblock':
            return api.DELETE('/users/{id}/block', { signal, params });
        }
      });
      // What both see of each other has changed, in every list. Here, since whoever pressed may be off the page by now.
      void client.invalidateQueries({ queryKey: communityKeys.all });
    },
    apply: applyRelation,
  });
}
