import type { StreamState } from '../../live/stream';
import { useText } from '../text';

/** How fresh figures are: told as they change, or read every few seconds. */
export type Freshness = StreamState | 'polled';

export function LiveDot({ state }: { state: Freshness }) {
  const { t } = useText();
  return (
    <span className={state === 'live' ? 'live-dot live' : 'live-dot'} role="status">
      {t(`live.${state}`)}
    </span>
  );
}
