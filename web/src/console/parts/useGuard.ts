import { useEffect } from 'react';

/** Asks before a link or a closed tab takes away what was typed and not saved. */
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
    window.addEventListener('beforeunload', leave);
    document.addEventListener('click', click, { capture: true });
    return () => {
      window.removeEventListener('beforeunload', leave);
      document.removeEventListener('click', click, { capture: true });
    };
  }, [dirty, question]);
}
