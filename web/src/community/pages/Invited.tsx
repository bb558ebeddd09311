// Where the link of an invitation leads.
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useParams } from 'react-router';
import { api, ask } from '../../api/client';
import { hasCode } from '../../api/problem';
import { Empty, Failed, Loading, Refused } from '../../play/parts/states';
import { useTitle } from '../../play/parts/useTitle';
import { signInPath, useSession } from '../../play/session';
import { useText } from '../../play/text';
import { inviterRead } from '../reads';

export default function Invited() {
  const { code = '' } = useParams();
  const { t } = useText();
  const { me, asking } = useSession();
  const query = useQuery(inviterRead(code));
  useTitle(t('invited.title'));
  const accept = useMutation({
    mutationFn: () => ask((signal) => api.PUT('/me/inviter', { signal, body: { code } })),
  });
  if (query.isPending || asking) return <Loading />;
  if (!query.data && hasCode(query.error, 'not_found'))
    return (
      <Empty title={t('invited.gone')}>
        <p>{t('invited.goneText')}</p>
      </Empty>
    );
  if (!query.data) return <Failed error={query.error} retry={() => void query.refetch()} />;
  if (accept.isSuccess)
    return (
      <Empty title={t('invited.done')}>
        <p>{t('invited.doneText')}</p>
        <Link to="/me/tasks" className="button primary">
          {t('tasks.title')}
        </Link>
      </Empty>
    );
  return (
    <Empty title={t('invited.by', { name: query.data.name })}>
      <p>{t('invited.text')}</p>
      {me ? (
        <button
          type="button"
          className="button primary"
          disabled={accept.isPending}
          onClick={() => accept.mutate()}
        >
          {t('invited.accept')}
        </button>
      ) : (
        <Link to={signInPath(`/invite/${code}`)} className="button primary">
          {t('invited.join')}
        </Link>
      )}
      <Refused error={accept.error} />
    </Empty>
  );
}
