// Figures of statistics: exact or estimated, and shares.
import { formatNumber } from '../../i18n';
import { useText } from '../text';

/** A number that may be an estimate. */
export function About({ n, exact }: { n: number; exact: boolean }) {
  const { t, language } = useText();
  const text = formatNumber(n, language);
  return <span className="number">{exact ? text : t('stat.about', { n: text })}</span>;
}

/** A part of a whole in per cent; a dash where there is no whole. */
export function Share({ of }: { of: number | undefined }) {
  const { language } = useText();
  if (of === undefined) return <span className="soft">—</span>;
  const format = new Intl.NumberFormat(language === 'zh' ? 'zh-CN' : 'en', {
    style: 'percent',
    maximumFractionDigits: 1,
  });
  return <span className="number">{format.format(of)}</span>;
}
