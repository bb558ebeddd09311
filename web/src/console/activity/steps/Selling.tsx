import { Checkbox, Input, Segmented } from 'antd';
import { salePolicyValues } from '../../../api/schema.gen';
import type { SaleDraft } from '../../logic/sale';
import { useText } from '../../text';
import { At, MoneyInput, Num } from '../At';
import type { StepProps } from './props';

const ROOM_PER_SECOND = 50;

/** For how much, how many, to whom, and what stands before the buyers. */
export function Selling({ draft, change }: StepProps) {
  const { t } = useText();
  const { sale } = draft;
  const set = (part: Partial<SaleDraft>) => change({ sale: { ...sale, ...part } });
  return (
    <div className="two">
      <section className="panel">
        <h2 className="section-title">{t('selling.price')}</h2>
        <div className="three">
          <At field="sale.price_minor" label={t('selling.each')}>
            <MoneyInput
              value={sale.priceMinor}
              currency={sale.currency}
              change={(priceMinor) => set({ priceMinor: priceMinor ?? 0 })}
            />
          </At>
          <At field="sale.list_price_minor" label={t('selling.listPrice')} help={t('selling.listHelp')}>
            <MoneyInput
              value={sale.listPriceMinor}
              currency={sale.currency}
              change={(listPriceMinor) => set({ listPriceMinor: listPriceMinor || null })}
            />
          </At>
          <At field="sale.currency" label={t('selling.currency')}>
            <Input
              value={sale.currency}
              maxLength={3}
              onChange={(event) => set({ currency: event.target.value.toUpperCase() })}
            />
          </At>
          <At field="sale.units" label={t('selling.units')}>
            <Num value={sale.units} min={1} change={(units) => set({ units: units ?? 0 })} />
          </At>
        </div>
        <At field="sale.per_user" label={t('selling.perUser')}>
          <Num
            value={sale.perUser}
            min={1}
            placeholder={t('unlimited')}
            change={(perUser) => set({ perUser })}
          />
        </At>
      </section>
      <section className="panel">
        <h2 className="section-title">{t('selling.stock')}</h2>
        <At field="sale.policy" label={t('selling.policy')} help={t(`selling.${sale.policy}Help`)}>
          <Segmented
            value={sale.policy}
            onChange={(policy) => set({ policy })}
            options={salePolicyValues.map((policy) => ({
              value: policy,
              label: t(`selling.${policy}`),
            }))}
          />
        </At>
        <At field="sale.hold_s" label={t('selling.hold')} help={t('selling.holdHelp')}>
          <Num value={sale.holdS} min={1} change={(holdS) => set({ holdS: holdS ?? 0 })} />
        </At>
      </section>
      <section className="panel">
        <h2 className="section-title">{t('selling.gate')}</h2>
        <p className="soft">{t('selling.gateHelp')}</p>
        <At field="sale.gate.captcha" label={t('selling.captcha')}>
          <Checkbox checked={sale.captcha} onChange={(event) => set({ captcha: event.target.checked })}>
            {t('selling.captchaOn')}
          </Checkbox>
        </At>
        <At field="sale.gate.room" label={t('selling.room')}>
          <Checkbox
            checked={sale.roomPerSecond !== null}
            onChange={(event) => set({ roomPerSecond: event.target.checked ? ROOM_PER_SECOND : null })}
          >
            {t('selling.roomOn')}
          </Checkbox>
        </At>
        {sale.roomPerSecond !== null && (
          <At
            field="sale.gate.room.per_second"
            label={t('selling.perSecond')}
            help={t('selling.perSecondHelp')}
          >
            <Num
              value={sale.roomPerSecond}
              min={1}
              change={(roomPerSecond) => set({ roomPerSecond: roomPerSecond ?? 1 })}
            />
          </At>
        )}
      </section>
    </div>
  );
}
