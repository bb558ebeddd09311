import { useEffect, useState } from 'react';
import { follow, type StreamState } from './stream';

/** The latest of a stream while the page is visible and wants it; nothing is held open behind a hidden tab. */
export function useStream<T>(
  url: string,
  event: string,
  wanted = true,
): { value: T | undefined; state: StreamState } {
  const [value, setValue] = useState<T>();
  const [state, setState] = useState<StreamState>('connecting');
  useEffect(() => {
    // What was told of something else is not told of this.
    setValue(undefined);
    if (!wanted) return;
    let stop: (() => void) | undefined;
    const update = () => {
      if (document.hidden) {
        stop?.();
        stop = undefined;
      } else if (!stop) {
        stop = follow<T>(url, event, setValue, setState);
      }
    };
    const afresh = () => {
      stop?.();
      stop = undefined;
      update();
    };
    update();
    document.addEventListener('visibilitychange', update);
    window.addEventListener('online', afresh);
    return () => {
      document.removeEventListener('visibilitychange', update);
      window.removeEventListener('online', afresh);
      stop?.();
    };
  }, [url, event, wanted]);
  return { value, state };
}
