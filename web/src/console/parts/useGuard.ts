import { useEffect } from 'react';

/** Where an entry of the browser's history stands among ours; the router writes it there. */
const placeOf = (state: unknown): number | undefined =>
  typeof state === 'object' && state !== null && 'idx' in state && typeof state.idx === 'number'
    ? state.idx
    : undefined;

/** Asks before a link, the browser's own Back or a closed tab takes away what was typed and not saved. */
export function useGuard(dirty: boolean, question: string): void {
  useEffect(() => {
    if (!dirty) return;
    const leave = (event: BeforeUnloadEvent) => event.preventDefault();
    const click = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest('a[href]') : null;
      if (!link || link.getAttribute('target') || link.hasAttribute('download')) return;
      if (window.confirm(question)) return;
      event.preventDefault();
      event.stopPropagation();
    };
    // The browser has gone already when it tells. Before the router hears of it, it is brought back.
    const here = placeOf(window.history.state);
    let returning = false;
    const pop = (event: PopStateEvent) => {
      if (returning || !window.confirm(question)) {
        event.stopImmediatePropagation();
        if (!returning) window.history.go((here ?? 0) - (placeOf(event.state) ?? (here ?? 0) - 1));
        returning = !returning;
      }
    };
    window.addEventListener('beforeunload', leave);
    window.addEventListener('popstate', pop, { capture: true });
    document.addEventListener('click', click, { capture: true });
    return () => {
      window.removeEventListener('beforeunload', leave);
      window.removeEventListener('popstate', pop, { capture: true });
      document.removeEventListener('click', click, { capture: true });
    };
  }, [dirty, question]);
}
