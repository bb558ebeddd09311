import { useLocation, useNavigate } from 'react-router';
import type { PostBody } from '../../api/wire';
import { formatNumber } from '../../i18n';
import { Refused } from '../../play/parts/states';
import { signInPath, useSession } from '../../play/session';
import { useText } from '../../play/text';
import { usePostMarks } from '../usePostMarks';
import { HeartIcon } from './icons';
import marks from './marks.module.css';

/** Likes a post, or not any more. Whoever is signed out is sent to sign in, and comes back. */
export function LikeButton({ post }: { post: PostBody }) {
  const { t, language } = useText();
  const { me } = useSession();
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const { like } = usePostMarks(post.id);
  const number = formatNumber(post.likes, language);
  const press = () => (me ? like.mutate(!post.liked_by_me) : void navigate(signInPath(pathname)));
  return (
    <>
      <button
        type="button"
        className={marks.button}
        aria-pressed={post.liked_by_me}
        aria-label={`${t('post.like')}, ${t('post.likes', { count: post.likes, number })}`}
        onClick={press}
      >
        <HeartIcon full={post.liked_by_me} />
        <span>{number}</span>
      </button>
      <Refused error={like.error} />
    </>
  );
}
