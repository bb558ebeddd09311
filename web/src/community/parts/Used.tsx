import { formatNumber } from '../../i18n';
import { useText } from '../../play/text';
import { charactersIn } from '../draftProblem';
import styles from './Used.module.css';

/** How much of a limit is used, and how much too much there is. */
export function Used({ text, max }: { text: string; max: number }) {
  const { t, language } = useText();
  const used = charactersIn(text);
  const over = used - max;
  return (
    <span className={styles.used} data-over={over > 0}>
      {over > 0
        ? t('write.over', { count: over })
        : t('write.used', { used: formatNumber(used, language), max: formatNumber(max, language) })}
    </span>
  );
}
