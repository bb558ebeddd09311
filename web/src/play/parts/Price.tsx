import type { SaleBody } from '../../api/wire';
import { formatMoney } from '../../i18n/money';
import { discountOf } from '../buy/price';
import { useText } from '../text';
import styles from './Price.module.css';

/** What it costs, with what it costs otherwise struck through. */
export function Price({ sale }: { sale: SaleBody }) {
  const { t, language } = useText();
  const off = discountOf(sale, language);
  return (
    <span className={styles.price}>
      <b>{formatMoney(sale.price_minor, sale.currency, language)}</b>
      {off !== undefined && (
        <>
          <s>
            <span className="unseen">{t('sale.listPrice')} </span>
            {formatMoney(sale.list_price_minor ?? 0, sale.currency, language)}
          </s>
          <em>{t('sale.off', { off })}</em>
        </>
      )}
    </span>
  );
}
