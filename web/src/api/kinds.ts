// What depends on the kind of a prize or item alone. Each table has a place for each kind: the compiler asks for a new one.
import type { PrizeKind, SaleItemKind } from './wire';

/** Whether whoever gets it has to say where to: it is sent by people. */
const SENT: Record<PrizeKind | SaleItemKind, boolean> = {
  text: false,
  code: false,
  coupon: false,
  parcel: true,
  points: false,
  chances: false,
  collectible: false,
};

export const needsAddress = (kind: PrizeKind | SaleItemKind): boolean => SENT[kind];
