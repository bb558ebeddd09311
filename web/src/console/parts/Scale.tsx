import { Segmented } from 'antd';
import { useText } from '../text';

export type TimeScale = 'hour' | 'minute';

interface Props {
  value: TimeScale;
  change: (scale: TimeScale) => void;
}

/** Whether a chart goes by hours or by minutes. */
export function Scale({ value, change }: Props) {
  const { t } = useText();
  return (
    <Segmented<TimeScale>
      size="small"
      value={value}
      aria-label={t('run.scale')}
      onChange={change}
      options={[
        { value: 'hour', label: t('run.byHour') },
        { value: 'minute', label: t('run.byMinute') },
      ]}
    />
  );
}
