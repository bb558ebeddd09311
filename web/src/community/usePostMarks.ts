import { api, ask } from '../api/client';
import { useOptimistic } from '../api/optimistic';
import type { LikeBody, VoteBody } from '../api/wire';
import { communityKeys } from './keys';
import { applyLike, applyVote, type ShownPosts, withPost } from './postChanges';

/** Liking and voting for a post, shown at once wherever the post is. Either may be sent again: nothing counts twice. */
export function usePostMarks(id: string) {
  const like = useOptimistic<ShownPosts, boolean, LikeBody>({
    queryKey: communityKeys.posts,
    everywhere: true,
    send: (liked) =>
      ask((signal) =>
        liked
          ? api.PUT('/posts/{id}/like', { signal, params: { path: { id } } })
          : api.DELETE('/posts/{id}/like', { signal, params: { path: { id } } }),
      ),
    apply: (shown, liked) => withPost(shown, id, (post) => applyLike(post, liked)),
    settle: (shown, { liked, likes }) =>
      withPost(shown, id, (post) => ({ ...post, liked_by_me: liked, likes })),
  });
  const vote = useOptimistic<ShownPosts, void, VoteBody>({
    queryKey: communityKeys.posts,
    everywhere: true,
    send: () => ask((signal) => api.PUT('/posts/{id}/vote', { signal, params: { path: { id } } })),
    apply: (shown) => withPost(shown, id, applyVote),
    settle: (shown, { votes, score }) =>
      withPost(shown, id, (post) => ({ ...post, voted_by_me: true, votes, score })),
  });
  return { like, vote };
}
