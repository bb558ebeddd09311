import type { ReactNode } from 'react';
import { useText } from '../text';

/** A place for a table that may be wider than the screen. The arrow keys move it, for which it takes the focus. */
export function Scroll({ className, children }: { className: string; children: ReactNode }) {
  const { t } = useText();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard
    <section className={className} tabIndex={0} aria-label={t('table.label')}>
      {children}
    </section>
  );
}

/** A text as it was sent, which may be longer than its place. */
export function Pre({ children }: { children: ReactNode }) {
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard
  return <pre tabIndex={0}>{children}</pre>;
}
