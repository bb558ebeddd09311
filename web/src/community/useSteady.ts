import { useEffect, useState } from 'react';

/** A value once it has not changed for a while. */
export function useSteady<T>(value: T, forMs: number): T {
  const [steady, setSteady] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSteady(value), forMs);
    return () => clearTimeout(timer);
  }, [value, forMs]);
  return steady;
}
