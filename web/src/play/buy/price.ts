// What is said of a price and of a stock.
import type { SaleBody } from '../../api/wire';
import type { Language } from '../../i18n';

/** By how much it is cheaper than otherwise, in whole per cent; nothing where nothing is struck through. */
export function percentOff({ price_minor, list_price_minor }: Priced): number | undefined {
  if (list_price_minor == null || list_price_minor <= price_minor) return undefined;
  // Never more than is true: a discount is rounded down, and what is cheaper at all is cheaper by one.
  return Math.max(1, Math.floor((1 - price_minor / list_price_minor) * 100));
}

type Priced = Pick<SaleBody, 'price_minor' | 'list_price_minor'>;

/** As it is said: in English how much is off, in Chinese how much is left to pay, in tenths (六二折 as 6.2). */
export function discountOf(priced: Priced, language: Language): string | undefined {
  const off = percentOff(priced);
  if (off === undefined) return undefined;
  if (language === 'en') return String(off);
  // Rounded up, for the same reason.
  const tenths = Math.ceil((priced.price_minor / (priced.list_price_minor ?? 1)) * 100) / 10;
  return String(Math.min(9.9, tenths));
}

/** How much of a sale's stock is left, 0 to 1. */
export const shareLeft = ({ left, units }: Stocked): number => (units > 0 ? Math.min(1, left / units) : 0);

type Stocked = Pick<SaleBody, 'left' | 'units'>;

/** How much of it is sold, in whole per cent: all of it only when nothing is left. */
export function percentSold(stock: Stocked): number {
  const share = 1 - shareLeft(stock);
  if (stock.left > 0) return Math.min(99, Math.floor(share * 100));
  return stock.units > 0 ? 100 : 0;
}
