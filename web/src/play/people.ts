import type { Say } from './text';

/** A winner as others may see them. Whoever chose no name is a player with a number, not a row of stars. */
export function shownName(masked: string, t: Say): string {
  const digits = /^wf\*\*(\d+)$/.exec(masked)?.[1];
  return digits ? t('player.unnamed', { digits }) : masked;
}
