import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from 'react-router';
import { api, ask } from '../../api/client';
import { useOptimistic } from '../../api/optimistic';
import type { MuteBody, NotificationKind, NotificationSettingsBody } from '../../api/wire';
import { Failed, Loading, Refused } from '../../play/parts/states';
import { useText } from '../../play/text';
import { communityKeys } from '../keys';
import { notificationSettingsRead } from '../reads';
import styles from './NotificationSettings.module.css';

/** What I want to hear about: a switch for each kind, and whom I muted. */
export function NotificationSettings() {
  const { t } = useText();
  const query = useQuery(notificationSettingsRead);
  const change = useOptimistic<NotificationSettingsBody, NotificationKind[], NotificationSettingsBody>({
    queryKey: communityKeys.notificationSettings,
    send: (off) => ask((signal) => api.PUT('/me/notification-settings', { signal, body: { off } })),
    apply: (shown, off) => ({ ...shown, off }),
    settle: (_shown, answer) => answer,
  });
  if (query.isPending) return <Loading />;
  if (!query.data) return <Failed error={query.error} retry={() => void query.refetch()} />;
  const { kinds, off, mutes } = query.data;
  const flip = (kind: NotificationKind, on: boolean) =>
    change.mutate(on ? off.filter((one) => one !== kind) : [...off, kind]);
  return (
    <>
      <section aria-labelledby="switches">
        <h2 id="switches">{t('settings.title')}</h2>
        <p className="quiet">{t('settings.text')}</p>
        <Refused error={change.error} />
        <ul className={styles.list}>
          {kinds.map((kind) => (
            <li key={kind}>
              <label className={styles.row}>
                <span>{t(`settings.kind.${kind}`)}</span>
                <input
                  type="checkbox"
                  checked={!off.includes(kind)}
                  disabled={change.isPending}
                  onChange={(event) => flip(kind, event.target.checked)}
                />
              </label>
            </li>
          ))}
        </ul>
      </section>
      <section aria-labelledby="mutes">
        <h2 id="mutes">{t('settings.mutes')}</h2>
        {mutes.length === 0 ? (
          <p className="quiet">{t('settings.noMutes')}</p>
        ) : (
          <ul className={styles.list}>
            {mutes.map((mute) => (
              <li key={`${mute.on} ${mute.id}`}>
                <Mute mute={mute} />
              </li>
            ))}
          </ul>
        )}
      </section>
    </>
  );
}

function Mute({ mute }: { mute: MuteBody }) {
  const { t } = useText();
  const client = useQueryClient();
  const end = useMutation({
    mutationFn: () => ask((signal) => api.DELETE('/me/mutes/{on}/{id}', { signal, params: { path: mute } })),
    onSuccess: () => client.invalidateQueries({ queryKey: communityKeys.notificationSettings }),
  });
  return (
    <div className={styles.row}>
      <Link to={mute.on === 'person' ? `/members/${mute.id}` : `/posts/${mute.id}`}>
        {t(`settings.${mute.on}`)}
      </Link>
      <button type="button" className="button small" disabled={end.isPending} onClick={() => end.mutate()}>
        {t('settings.unmute')}
      </button>
      <Refused error={end.error} />
    </div>
  );
}
