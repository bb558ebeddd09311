import { left, twoDigits } from '../../time/countdown';
import { useNow } from '../../time/useNow';
import { useText } from '../text';

/** Counts down by the server's clock. Read out once, not every second. */
export function Countdown({ to, label }: { to: number; label: string }) {
  const { t } = useText();
  const now = useNow(to);
  const { days, hours, minutes, seconds } = left(now, to);
  return (
    <span className="countdown" role="timer" aria-live="off">
      <span className="countdown-label">{label}</span>
      {days > 0 && <b>{t('count.days', { count: days })}</b>}
      <b className="digits">
        {twoDigits(hours)}
        <i>:</i>
        {twoDigits(minutes)}
        <i>:</i>
        {twoDigits(seconds)}
      </b>
    </span>
  );
}
