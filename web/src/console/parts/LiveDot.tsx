import type { StreamState } from '../../live/stream';
import { useText } from '../text';

export function LiveDot({ state }: { state: StreamState }) {
  const { t } = useText();
  return (
    <span className={state === 'live' ? 'live-dot live' : 'live-dot'} role="status">
      {t(`live.${state}`)}
    </span>
  );
}
