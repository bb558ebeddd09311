import { Progress } from 'antd';
import type { ReactNode } from 'react';
import type { ActivityBody } from '../../api/wire';
import { formatNumber } from '../../i18n';
import { useSaleUnits } from '../activity/SaleRunning';
import { useText } from '../text';

/** One running sale: sold, held and left. Asked now and then: connections are few, and draws have the streams. */
export function SaleLive({ activity, children }: { activity: ActivityBody; children: ReactNode }) {
  const { t, language } = useText();
  const { data } = useSaleUnits(activity.id, 3000);
  const n = (count: number | undefined) => (count === undefined ? '—' : formatNumber(count, language));
  const share = (count: number) => (data && data.total > 0 ? Math.round((100 * count) / data.total) : 0);
  return (
    <section className="panel card" aria-label={activity.name}>
      {children}
      <p className="number">{t('sale.line', { sold: n(data?.sold), held: n(data?.held) })}</p>
      <div className="stock">
        <span>{t('sale.left')}</span>
        <span className="number soft">
          {n(data?.left)} / {n(data?.total)}
        </span>
        <Progress
          percent={share(data?.left ?? 0)}
          showInfo={false}
          size="small"
          aria-label={t('sale.left')}
          status={data?.left === 0 ? 'exception' : 'normal'}
        />
      </div>
    </section>
  );
}
