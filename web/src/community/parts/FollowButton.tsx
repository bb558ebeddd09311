import { useQuery } from '@tanstack/react-query';
import { useLocation, useNavigate } from 'react-router';
import { Refused } from '../../play/parts/states';
import { signInPath, useSession } from '../../play/session';
import { useText } from '../../play/text';
import { memberRead } from '../reads';
import { useRelation } from '../useRelation';

/** Follows somebody, or not any more. Nothing for oneself, and for whom one has blocked. */
export function FollowButton({ id, small = false }: { id: string; small?: boolean }) {
  const { t } = useText();
  const { me } = useSession();
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const member = useQuery(memberRead(id)).data;
  const relation = useRelation(id);
  if (!member || me?.id === id || member.relation?.blocked) return null;
  const following = member.relation?.following ?? false;
  const press = () =>
    me ? relation.mutate(following ? 'unfollow' : 'follow') : void navigate(signInPath(pathname));
  return (
    <>
      <button
        type="button"
        className={`button ${small ? 'small' : ''} ${following ? '' : 'primary'}`}
        onClick={press}
      >
        {following ? t('following') : t('follow')}
        {following && <span className="unseen">{`, ${t('unfollow')}`}</span>}
      </button>
      <Refused error={relation.error} />
    </>
  );
}
