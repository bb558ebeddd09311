// What is in the cart: lines of sales, and what stands in the way of ordering them. Pure; `useCart` keeps it on the device.
//
// An order is whole or not made at all, so one line that cannot be had keeps all of them from being ordered. Nothing is
// held by being in a cart: only an order holds units.
import type { SaleBody } from '../../api/wire';
import { standingOf } from '../standing';

/** Lines in one order. */
export const LINES_MAX = 20;
/** Units in one line where nobody limits them: more is no flash sale but a purchase order. */
export const QUANTITY_MAX = 10;

export interface CartLine {
  sale: string;
  quantity: number;
}

/** Units of a sale that one may ask for at a time. */
export function mostOf({ per_user }: Pick<SaleBody, 'per_user'>): number {
  return Math.max(1, Math.min(per_user ?? QUANTITY_MAX, QUANTITY_MAX));
}

/** Whether a sale goes with others. One that is deducted at payment, or has a line of people before it, is bought alone. */
export function goesWithOthers({ policy, gate }: Pick<SaleBody, 'policy' | 'gate'>): boolean {
  return policy === 'at_order' && !gate.room;
}

/** With so many of a sale in it; a full cart stays as it is. */
export function put(cart: readonly CartLine[], sale: string, quantity: number): CartLine[] {
  const line = { sale, quantity };
  if (cart.some((one) => one.sale === sale)) return cart.map((one) => (one.sale === sale ? line : one));
  return cart.length < LINES_MAX ? [...cart, line] : [...cart];
}

export function drop(cart: readonly CartLine[], sale: string): CartLine[] {
  return cart.filter((one) => one.sale !== sale);
}

/** A cart as it was kept. What is none, or was written by somebody else, is an empty one. */
export function readCart(text: string | null): CartLine[] {
  let kept: unknown;
  try {
    kept = JSON.parse(text ?? '[]');
  } catch {
    return [];
  }
  if (!Array.isArray(kept)) return [];
  let cart: CartLine[] = [];
  for (const one of kept as Array<Partial<CartLine> | null>) {
    const { sale, quantity } = one ?? {};
    const isLine = typeof sale === 'string' && /^\d{1,20}$/.test(sale) && Number.isInteger(quantity);
    if (isLine) cart = put(cart, sale, Math.max(1, Math.min(quantity ?? 1, QUANTITY_MAX)));
  }
  return cart;
}

/** Why a line cannot be ordered now. */
export type Obstacle = 'soon' | 'paused' | 'over' | 'gone' | 'few' | 'alone';

export function obstacleOf(line: CartLine, sale: SaleBody, nowMs: number): Obstacle | undefined {
  const standing = standingOf(sale, nowMs);
  if (standing !== 'running') return standing;
  if (!goesWithOthers(sale)) return 'alone';
  if (sale.sold_out) return 'gone';
  return sale.left < line.quantity ? 'few' : undefined;
}

/** What all of it costs; nothing where it is not one currency. */
export function sumOf(lines: ReadonlyArray<{ line: CartLine; sale: SaleBody }>) {
  const currencies = new Set(lines.map(({ sale }) => sale.currency));
  const [currency] = currencies;
  if (currency === undefined || currencies.size > 1) return undefined;
  const minor = lines.reduce((sum, { line, sale }) => sum + sale.price_minor * line.quantity, 0);
  return { minor, currency };
}
