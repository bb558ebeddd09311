import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, ask, insist } from '../api/client';
import { useOnce } from '../api/once';
import { useOptimistic } from '../api/optimistic';
import type { CommentBody, LikeBody } from '../api/wire';
import { applyCommentLike, type ShownComments, withComment } from './commentChanges';
import { communityKeys } from './keys';

/** After a comment came or went: the threads and the post's count are read again. */
function useRefresh(post: string) {
  const client = useQueryClient();
  return () => {
    void client.invalidateQueries({ queryKey: communityKeys.post(post) });
    return client.invalidateQueries({ queryKey: communityKeys.comments });
  };
}

/** Comments on a post, or replies to a comment. One comment per wish, also after a reload. */
export function useMakeComment(person: string, post: string, replyTo: string | undefined) {
  const refresh = useRefresh(post);
  const once = useOnce(`windfall.comment.${person}.${post}.${replyTo ?? ''}`);
  return useMutation({
    mutationFn: (text: string) =>
      once({ text }, (key) =>
        insist((signal) =>
          api.POST('/threads/{on}/{id}/comments', {
            signal,
            params: { path: { on: 'post', id: post }, header: { 'Idempotency-Key': key } },
            body: { text, ...(replyTo && { reply_to: replyTo }) },
          }),
        ),
      ),
    onSuccess: refresh,
  });
}

/** Deletes one's own comment. Again is the same. */
export function useDeleteComment(comment: CommentBody) {
  return useMutation({
    mutationFn: () =>
      ask((signal) => api.DELETE('/comments/{id}', { signal, params: { path: { id: comment.id } } })),
    onSuccess: useRefresh(comment.subject),
  });
}

/** For moderators: takes a comment away, or brings it back. */
export function useJudgeComment(comment: CommentBody) {
  return useMutation({
    mutationFn: (reason: string) =>
      ask((signal) =>
        api.POST('/admin/comments/{id}/moderate', {
          signal,
          params: { path: { id: comment.id } },
          body: { removed: comment.state !== 'removed', reason },
        }),
      ),
    onSuccess: useRefresh(comment.subject),
  });
}

export function useCommentLike(id: string) {
  const params = { path: { id } };
  return useOptimistic<ShownComments, boolean, LikeBody>({
    queryKey: communityKeys.comments,
    everywhere: true,
    send: (liked) =>
      ask((signal) =>
        liked
          ? api.PUT('/comments/{id}/like', { signal, params })
          : api.DELETE('/comments/{id}/like', { signal, params }),
      ),
    apply: (shown, liked) => withComment(shown, id, (comment) => applyCommentLike(comment, liked)),
    settle: (shown, { liked, likes }) =>
      withComment(shown, id, (comment) => ({ ...comment, liked_by_me: liked, likes })),
  });
}
