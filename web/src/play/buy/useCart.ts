// The cart of this device: kept across reloads, the same in every tab, and gone with whoever signs out.
import { useSyncExternalStore } from 'react';
import { type CartLine, drop, put, readCart } from './cart';

const KEPT = 'windfall.cart';

const listeners = new Set<() => void>();
let cart: CartLine[] = readCart(kept());

function kept(): string | null {
  try {
    return localStorage.getItem(KEPT);
  } catch {
    return null;
  }
}

function tell(next: CartLine[]): void {
  cart = next;
  for (const listener of listeners) listener();
}

function change(next: CartLine[]): void {
  try {
    if (next.length > 0) localStorage.setItem(KEPT, JSON.stringify(next));
    else localStorage.removeItem(KEPT);
  } catch {
    // A browser that keeps nothing: the cart lasts as long as the page.
  }
  tell(next);
}

window.addEventListener('storage', ({ key }) => {
  if (key === KEPT || key === null) tell(readCart(kept()));
});

export const cartChanges = {
  put: (sale: string, quantity: number) => change(put(cart, sale, quantity)),
  drop: (sale: string) => change(drop(cart, sale)),
  empty: () => change([]),
};

const follow = (changed: () => void) => {
  listeners.add(changed);
  return () => listeners.delete(changed);
};

export function useCart(): readonly CartLine[] {
  return useSyncExternalStore(follow, () => cart);
}
