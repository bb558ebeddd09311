import { useText } from '../../i18n';
import type { StreamState } from '../../live/stream';

export function LiveDot({ state }: { state: StreamState }) {
  const { t } = useText();
  return (
    <span className={state === 'live' ? 'live-dot live' : 'live-dot'} role="status">
      {t(`live.${state}`)}
    </span>
  );
}
