import type { SaleBody } from '../../api/wire';
import { formatMoney } from '../../i18n/money';
import { Dialog } from '../parts/Dialog';
import { Form } from '../parts/Form';
import { useText } from '../text';

interface PriceDialogProps {
  sale: SaleBody;
  /** Of one unit: what was on the button, and what it costs now. */
  was: number;
  now: number;
  quantity: number;
  onBuy(): void;
  onClose(): void;
}

/** It costs something else by now. Nothing was ordered; whoever wants it at the new price says so. */
export function PriceDialog({ sale, was, now, quantity, onBuy, onClose }: PriceDialogProps) {
  const { t, language } = useText();
  const money = (minor: number) => formatMoney(minor, sale.currency, language);
  return (
    <Dialog title={t('price.title')} onClose={onClose}>
      <Form
        submit={t('buy.buy', { price: money(now * quantity) })}
        // What is sent is what the page shows: first it has to show the new price.
        busy={sale.price_minor !== now}
        error={undefined}
        onSubmit={onBuy}
      >
        <p>
          <b>{sale.item.name}</b>
        </p>
        <p data-testid="new-price">{t('price.text', { was: money(was), now: money(now) })}</p>
        <p className="quiet">{t('price.nothing')}</p>
      </Form>
    </Dialog>
  );
}
