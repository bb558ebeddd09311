import { formatNumber } from '../../i18n';
import { formatMoney } from '../../i18n/money';
import type { Draft } from '../logic/draft';
import { When } from '../parts/bits';
import { useText } from '../text';
import { Shown } from './steps/Goods';

/** What a sale says, read only. */
export function SaleFacts({ draft }: { draft: Draft }) {
  const { t, language } = useText();
  const { sale } = draft;
  const n = (value: number | null) => (value === null ? t('unlimited') : formatNumber(value, language));
  return (
    <div className="sale-facts">
      <ul className="shots">
        {(sale.pictures.length > 0 ? sale.pictures : [undefined]).map((picture) => (
          <li key={picture ?? ''}>
            <Shown picture={picture} />
          </li>
        ))}
      </ul>
      <div>
        <p className="sale-title">
          {sale.name || draft.name || t('act.unnamed')}
          <b>{formatMoney(sale.priceMinor, sale.currency, language)}</b>
        </p>
        {draft.description && <p>{draft.description}</p>}
        {sale.details && <p className="soft lines">{sale.details}</p>}
        <dl className="facts">
          <dt>{t('act.window')}</dt>
          <dd>
            <When ms={draft.from} /> – <When ms={draft.until} /> ({draft.zone})
          </dd>
          <dt>{t('goods.item')}</dt>
          <dd>{t(`kind.${sale.item}`)}</dd>
          <dt>{t('selling.units')}</dt>
          <dd>{n(sale.units)}</dd>
          <dt>{t('selling.perUser')}</dt>
          <dd>{n(sale.perUser)}</dd>
          <dt>{t('selling.policy')}</dt>
          <dd>
            {t(`selling.${sale.policy}`)} · {t('selling.holdFor', { n: sale.holdS })}
          </dd>
          <dt>{t('selling.gate')}</dt>
          <dd>
            {[
              sale.captcha && t('selling.captcha'),
              sale.roomPerSecond !== null && t('selling.roomOf', { n: sale.roomPerSecond }),
            ]
              .filter(Boolean)
              .join(' · ') || t('selling.gateNone')}
          </dd>
        </dl>
      </div>
    </div>
  );
}
