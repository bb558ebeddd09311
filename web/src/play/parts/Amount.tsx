import { formatNumber } from '../../i18n';
import { useText } from '../text';

interface AmountProps {
  of: { kind: string; amount?: number | null };
  className: string;
}

/** How many points or chances a prize is; nothing for any other. */
export function Amount({ of: { kind, amount }, className }: AmountProps) {
  const { t, language } = useText();
  if (amount == null || (kind !== 'points' && kind !== 'chances')) return null;
  return (
    <p className={className}>
      {t(`amount.${kind}`, { count: amount, number: formatNumber(amount, language) })}
    </p>
  );
}
