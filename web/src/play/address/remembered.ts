// Which address an order went to last, on this device: the next order begins with it.
import type { AddressBody } from '../../api/wire';

const KEPT = 'windfall.address';

export function rememberAddress(id: string): void {
  try {
    localStorage.setItem(KEPT, id);
  } catch {
    // A browser that keeps nothing: the next order begins with the default.
  }
}

/** The last one that is still in the book, else the default, else the only one. */
export function likelyAddress(book: readonly AddressBody[]): string | undefined {
  let kept: string | null = null;
  try {
    kept = localStorage.getItem(KEPT);
  } catch {
    // As above.
  }
  const likely = book.find(({ id }) => id === kept) ?? book.find((entry) => entry.default) ?? book[0];
  return likely?.id;
}
