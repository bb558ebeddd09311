import { useEffect } from 'react';

/** Where an entry of the browser's history stands among ours; the router writes it there. */
const placeOf = (state: unknown): number | undefined =>
  typeof state === 'object' && state !== null && 'idx' in state && typeof state.idx === 'number'
    ? state.idx
    : undefined;

/** What would be lost by leaving, and from where. */
let guarded: { question: string; here: number } | undefined;
let returning = false;

function pop(event: PopStateEvent): void {
  if (returning) {
    returning = false;
    event.stopImmediatePropagation();
  } else if (guarded && !window.confirm(guarded.question)) {
    // The browser has gone already when it tells: it is sent back, and the router hears of neither.
    returning = true;
    event.stopImmediatePropagation();
    window.history.go(guarded.here - (placeOf(event.state) ?? guarded.here - 1));
  }
}

/**
 * Hears of the browser's Back from now on. To be called before there is a router: listeners of the window are called in
 * the order in which they came.
 */
export function guardBack(): void {
  window.addEventListener('popstate', pop);
}

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
    guarded = { question, here: placeOf(window.history.state) ?? 0 };
    window.addEventListener('beforeunload', leave);
    document.addEventListener('click', click, { capture: true });
    return () => {
      guarded = undefined;
      window.removeEventListener('beforeunload', leave);
      document.removeEventListener('click', click, { capture: true });
    };
  }, [dirty, question]);
}
