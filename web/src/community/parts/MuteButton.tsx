import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, ask } from '../../api/client';
import type { MuteSubject } from '../../api/wire';
import { Refused } from '../../play/parts/states';
import { communityKeys } from '../keys';
import { notificationSettingsRead } from '../reads';

interface Props {
  on: MuteSubject;
  id: string;
  label: string;
  className?: string;
}

/** Whether I hear of a person or of what is said on a post: pressed while I do not. */
export function MuteButton({ on, id, label, className = 'button small' }: Props) {
  const client = useQueryClient();
  const settings = useQuery(notificationSettingsRead).data;
  const muted = settings?.mutes.some((mute) => mute.on === on && mute.id === id) ?? false;
  const change = useMutation({
    mutationFn: (mute: boolean) =>
      ask((signal) => {
        const params = { path: { on, id } };
        return mute
          ? api.PUT('/me/mutes/{on}/{id}', { signal, params })
          : api.DELETE('/me/mutes/{on}/{id}', { signal, params });
      }),
    onSuccess: () => client.invalidateQueries({ queryKey: communityKeys.notificationSettings }),
  });
  return (
    <>
      <button
        type="button"
        className={className}
        aria-pressed={muted}
        disabled={!settings || change.isPending}
        onClick={() => change.mutate(!muted)}
      >
        {muted && '✓ '}
        {label}
      </button>
      <Refused error={change.error} />
    </>
  );
}
