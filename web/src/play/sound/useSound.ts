// Whether the games sound and shake: on until somebody switches it off, and remembered on this device.
import { useCallback, useSyncExternalStore } from 'react';
import { play, type Sound } from './sounds';

const KEPT = 'windfall.sound';
const listeners = new Set<() => void>();
let muted: boolean | undefined;

function isMuted(): boolean {
  if (muted === undefined) {
    try {
      muted = localStorage.getItem(KEPT) === 'off';
    } catch {
      muted = false;
    }
  }
  return muted;
}

export function setMuted(next: boolean): void {
  muted = next;
  try {
    localStorage.setItem(KEPT, next ? 'off' : 'on');
  } catch {
    // A browser that keeps nothing: the choice lasts as long as the page.
  }
  for (const listener of listeners) listener();
}

const follow = (changed: () => void) => {
  listeners.add(changed);
  return () => listeners.delete(changed);
};

/** `sound` plays, unless it is switched off. */
export function useSound(): { muted: boolean; sound(name: Sound): void } {
  const now = useSyncExternalStore(follow, isMuted);
  const sound = useCallback((name: Sound) => {
    if (!isMuted()) play(name);
  }, []);
  return { muted: now, sound };
}
