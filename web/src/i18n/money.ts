// Money for people. On the wire it is whole numbers of a currency's smallest unit; how many of those make one is known to
// the browser, and is not always a hundred.
import type { Language } from './index';

/** Newer than the types that know it; browsers that do not know it show the zeros. */
const STYLE = { style: 'currency', trailingZeroDisplay: 'stripIfInteger' } as const;

function formatOf(currency: string, language: Language): Intl.NumberFormat {
  return new Intl.NumberFormat(language === 'zh' ? 'zh-CN' : 'en', {
    ...STYLE,
    currency,
    currencyDisplay: 'narrowSymbol',
  });
}

/** Digits after the point: two for most, none for yen. */
export function moneyDigits(currency: string): number {
  try {
    return formatOf(currency, 'en').resolvedOptions().maximumFractionDigits ?? 2;
  } catch {
    return 2;
  }
}

/** 9900 of CNY is ¥99. Letters that are no currency are shown as they are. */
export function formatMoney(minor: number, currency: string, language: Language): string {
  const amount = minor / 10 ** moneyDigits(currency);
  try {
    return formatOf(currency, language).format(amount);
  } catch {
    return `${currency} ${amount}`;
  }
}
