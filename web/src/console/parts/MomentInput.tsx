import { Input } from 'antd';
import { fromWall, isZone, toWall } from '../logic/zone';
import { useText } from '../text';

export const HOME_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;

interface Props {
  id?: string;
  value?: number | null;
  onChange?: (ms: number | undefined) => void;
  /** The reader's own unless told. */
  zone?: string;
  label?: string;
  status?: 'error' | '';
}

/** A moment as the clocks of a zone show it. A moment that nobody touches keeps its milliseconds. */
export function MomentInput({ id, value, onChange, zone, label, status }: Props) {
  const { t } = useText();
  const used = zone && isZone(zone) ? zone : HOME_ZONE;
  return (
    <Input
      type="datetime-local"
      step={1}
      value={value === undefined || value === null ? '' : toWall(value, used)}
      onChange={(event) => onChange?.(fromWall(event.target.value, used))}
      suffix={<span className="soft fine">{used}</span>}
      title={t('momentIn', { zone: used })}
      {...(id ? { id } : {})}
      {...(label ? { 'aria-label': label } : {})}
      {...(status ? { status } : {})}
    />
  );
}
