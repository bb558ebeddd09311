import { useSyncExternalStore } from 'react';

const follow = (changed: () => void) => {
  window.addEventListener('online', changed);
  window.addEventListener('offline', changed);
  return () => {
    window.removeEventListener('online', changed);
    window.removeEventListener('offline', changed);
  };
};

/** Whether the device believes to have a network. */
export function useOnline(): boolean {
  return useSyncExternalStore(follow, () => navigator.onLine);
}

const motionQuery = '(prefers-reduced-motion: reduce)';
const followMotion = (changed: () => void) => {
  const query = matchMedia(motionQuery);
  query.addEventListener('change', changed);
  return () => query.removeEventListener('change', changed);
};

/** Whether the reader asked their device for less motion. */
export function useStill(): boolean {
  return useSyncExternalStore(followMotion, () => matchMedia(motionQuery).matches);
}
