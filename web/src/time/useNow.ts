import { useEffect, useState } from 'react';
import { serverNow } from './clock';
import { untilChange } from './countdown';

/** Browsers cut longer timers short. */
const SLEEP_MAX_MS = 60_000;

/** The server's now, drawn anew each time a countdown to `toMs` shows another second, and once when it is over. */
export function useNow(toMs: number): number {
  const [now, setNow] = useState(serverNow);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const tick = () => {
      const current = serverNow();
      setNow(current);
      const wait = untilChange(current, toMs);
      if (Number.isFinite(wait)) timer = setTimeout(tick, Math.min(wait, SLEEP_MAX_MS));
    };
    tick();
    return () => clearTimeout(timer);
  }, [toMs]);
  return now;
}
