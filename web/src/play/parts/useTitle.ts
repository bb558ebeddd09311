import { useEffect } from 'react';

/** The page's title in the browser: what it is about, then whose it is. */
export function useTitle(title?: string): void {
  useEffect(() => {
    document.title = title ? `${title} · Windfall` : 'Windfall';
  }, [title]);
}
