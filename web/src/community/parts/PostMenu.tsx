// What is behind the three dots of a post: edit and delete one's own, block somebody else.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { api, ask } from '../../api/client';
import type { PostBody } from '../../api/wire';
import { Dialog } from '../../play/parts/Dialog';
import { Refused } from '../../play/parts/states';
import { shownName } from '../../play/people';
import { useText } from '../../play/text';
import { communityKeys } from '../keys';
import { type ShownPosts, withoutPost } from '../postChanges';
import { BlockDialog } from './BlockDialog';
import { MuteButton } from './MuteButton';
import { ReportDialog } from './ReportDialog';

interface Props {
  post: PostBody;
  mine: boolean;
  onClose(): void;
}

export function PostMenu({ post, mine, onClose }: Props) {
  const { t } = useText();
  const navigate = useNavigate();
  const [asked, setAsked] = useState<'delete' | 'block' | 'report'>();
  if (asked === 'delete') return <DeleteDialog post={post} onClose={onClose} />;
  if (asked === 'report') return <ReportDialog on="post" id={post.id} onClose={onClose} />;
  if (asked === 'block' && post.author)
    return (
      <BlockDialog
        id={post.author.id}
        name={shownName(post.author.name, t)}
        onClose={onClose}
        onBlocked={() => void navigate('/community', { replace: true })}
      />
    );
  return (
    <Dialog title={t('post.more')} onClose={onClose}>
      <ul className="links">
        {mine && (
          <li>
            <Link to={`/posts/${post.id}/edit`}>{t('post.edit')}</Link>
          </li>
        )}
        {mine && (
          <li>
            <button type="button" className="warn" onClick={() => setAsked('delete')}>
              {t('post.delete')}
            </button>
          </li>
        )}
        <li>
          <MuteButton on="post" id={post.id} label={t('mute.post')} className="" />
        </li>
        {!mine && (
          <li>
            <button type="button" onClick={() => setAsked('report')}>
              {t('report.title.post')}
            </button>
          </li>
        )}
        {!mine && post.author && (
          <li>
            <button type="button" className="warn" onClick={() => setAsked('block')}>
              {t('block.title', { name: shownName(post.author.name, t) })}
            </button>
          </li>
        )}
      </ul>
    </Dialog>
  );
}

function DeleteDialog({ post, onClose }: { post: PostBody; onClose(): void }) {
  const { t } = useText();
  const client = useQueryClient();
  const navigate = useNavigate();
  const remove = useMutation({
    mutationFn: () =>
      ask((signal) => api.DELETE('/posts/{id}', { signal, params: { path: { id: post.id } } })),
    onSuccess: () => {
      client.removeQueries({ queryKey: communityKeys.post(post.id) });
      client.setQueriesData<ShownPosts>(
        { queryKey: communityKeys.posts },
        (shown) => shown && withoutPost(shown, post.id),
      );
      if (post.author) void client.invalidateQueries({ queryKey: communityKeys.member(post.author.id) });
      void navigate('/community', { replace: true });
    },
  });
  return (
    <Dialog title={t('post.deleteTitle')} onClose={onClose}>
      <p>{t('post.deleteText')}</p>
      <Refused error={remove.error} />
      <div className="buttons">
        <button
          type="button"
          className="button danger"
          disabled={remove.isPending}
          onClick={() => remove.mutate()}
        >
          {remove.isPending ? t('wait') : t('post.deleteSure')}
        </button>
      </div>
    </Dialog>
  );
}
