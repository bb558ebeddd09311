// Light, dark, or as the device says. The colours themselves are in theme.css.
import { useSyncExternalStore } from 'react';

export const THEMES = ['auto', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

const KEPT = 'windfall.theme';
const listeners = new Set<() => void>();
let current: Theme = 'auto';

export function startTheme(): void {
  try {
    current = THEMES.find((known) => known === localStorage.getItem(KEPT)) ?? 'auto';
  } catch {
    current = 'auto';
  }
  show();
}

export function setTheme(theme: Theme): void {
  current = theme;
  try {
    localStorage.setItem(KEPT, theme);
  } catch {
    // Kept for this page only.
  }
  show();
  for (const listener of listeners) listener();
}

function show(): void {
  const root = document.documentElement;
  if (current === 'auto') delete root.dataset.theme;
  else root.dataset.theme = current;
}

const follow = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export function useTheme(): Theme {
  return useSyncExternalStore(follow, () => current);
}

/** Whether dark colours are shown now, for libraries that have to be told. */
export function useDark(): boolean {
  const theme = useTheme();
  const device = useSyncExternalStore(
    (listener) => {
      const query = matchMedia('(prefers-color-scheme: dark)');
      query.addEventListener('change', listener);
      return () => query.removeEventListener('change', listener);
    },
    () => matchMedia('(prefers-color-scheme: dark)').matches,
  );
  return theme === 'auto' ? device : theme === 'dark';
}
