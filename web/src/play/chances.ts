// How many chances are left, in one line whose numbers add up.
import type { ChancesBody } from '../api/wire';
import type { Say } from './text';

type Left = Pick<ChancesBody, 'left' | 'granted' | 'bound_by'>;

export function chancesLine({ left, granted, bound_by }: Left, t: Say): string {
  const own = left - granted;
  if (left === 0) return t(`chances.spent.${bound_by}`);
  if (granted === 0) return t(`chances.own.${bound_by}`, { count: own });
  if (own === 0) return t('chances.bonus', { count: granted });
  return t('chances.sum', {
    count: left,
    own: t(`chances.part.${bound_by}`, { count: own }),
    bonus: granted,
  });
}
