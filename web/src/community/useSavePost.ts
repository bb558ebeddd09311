import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, ask, insist } from '../api/client';
import { useOnce } from '../api/once';
import { hasCode } from '../api/problem';
import type { PostWholeBody } from '../api/wire';
import { communityKeys } from './keys';
import { isSameDraft, type PostDraft } from './useKeptDraft';

export function draftOf(post: PostWholeBody): PostDraft {
  return { title: post.title, link: post.link ?? '', body: post.body };
}

const written = ({ title, link, body }: PostDraft) => ({ title, body, link: link.trim() || null });

/** An edit, named by the version that was looked at. Sent again after a lost answer, it finds its own version and is done. */
async function edit(post: PostWholeBody, draft: PostDraft): Promise<PostWholeBody> {
  const params = { path: { id: post.id } };
  try {
    return await ask((signal) =>
      api.PUT('/posts/{id}', { signal, params, body: { version: post.version, ...written(draft) } }),
    );
  } catch (error) {
    if (!hasCode(error, 'version_stale')) throw error;
    const now = await ask((signal) => api.GET('/posts/{id}', { signal, params }));
    if (isSameDraft(draftOf(now), draft)) return now;
    throw error;
  }
}

/** Publishes a draft, or saves it as the next version of a post. One post per wish, also after a reload. */
export function useSavePost(person: string, post: PostWholeBody | undefined, onSaved: (id: string) => void) {
  const client = useQueryClient();
  const once = useOnce(`windfall.post.${person}`);
  return useMutation({
    mutationFn: (draft: PostDraft) =>
      post
        ? edit(post, draft)
        : once(draft, (key) =>
            insist((signal) =>
              api.POST('/posts', {
                signal,
                params: { header: { 'Idempotency-Key': key } },
                body: written(draft),
              }),
            ),
          ),
    onSuccess: (saved) => {
      client.setQueryData(communityKeys.post(saved.id), saved);
      onSaved(saved.id);
      void client.invalidateQueries({ queryKey: communityKeys.posts });
      void client.invalidateQueries({ queryKey: communityKeys.member(person) });
    },
  });
}
