// My invitations: the link to pass on, and what came of it.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, ask } from '../../api/client';
import type { InvitesBody } from '../../api/wire';
import { formatNumber } from '../../i18n';
import { Copy } from '../../play/parts/Copy';
import { Head } from '../../play/parts/Head';
import { Failed, Loading, Refused } from '../../play/parts/states';
import { useText } from '../../play/text';
import { communityKeys } from '../keys';
import { invitesRead } from '../reads';
import styles from './Invite.module.css';

export default function Invite() {
  const { t } = useText();
  const query = useQuery(invitesRead);
  return (
    <>
      <Head title={t('invite.title')} back="/me/tasks" />
      <p className="quiet">{t('invite.text')}</p>
      {query.isPending && <Loading />}
      {!query.data && query.error && <Failed error={query.error} retry={() => void query.refetch()} />}
      {query.data && <Mine invites={query.data} />}
    </>
  );
}

function Mine({ invites: { link, accepted, qualified } }: { invites: InvitesBody }) {
  const { t, language } = useText();
  const client = useQueryClient();
  const begin = useMutation({
    mutationFn: () => ask((signal) => api.PUT('/me/invites', { signal })),
    onSuccess: (made) => client.setQueryData(communityKeys.invites, made),
  });
  return (
    <>
      <section className={styles.card} aria-label={t('invite.link')}>
        {link ? (
          <>
            <h2>{t('invite.link')}</h2>
            <Copy text={link} label={t('invite.copy')} />
          </>
        ) : (
          <button
            type="button"
            className="button primary wide"
            disabled={begin.isPending}
            onClick={() => begin.mutate()}
          >
            {t('invite.begin')}
          </button>
        )}
        <Refused error={begin.error} />
      </section>
      <dl className={styles.counts}>
        <div>
          <dt>{t('invite.accepted')}</dt>
          <dd>{formatNumber(accepted, language)}</dd>
        </div>
        <div>
          <dt>{t('invite.qualified')}</dt>
          <dd>{formatNumber(qualified, language)}</dd>
        </div>
      </dl>
      <p className="quiet">{t('invite.rules')}</p>
    </>
  );
}
