import { useEffect, useMemo, useState } from 'react';
import { shapeAnswer } from '../api/client';
import { useLanguage } from '../i18n';
import { follow, type StreamState } from './stream';

/**
 * The latest of a stream while the page is visible and wants it; nothing is held open behind a hidden tab. What comes by a
 * stream is shaped like every other answer, and again when the reader switches the language.
 */
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
  const language = useLanguage();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the shape depends on the language
  const shaped = useMemo(() => (value === undefined ? undefined : shapeAnswer(value)), [value, language]);
  return { value: shaped, state };
}
