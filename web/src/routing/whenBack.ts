// Waiting for the connection, for pages that could not even be fetched. What failed to load is kept as failed by some
// browsers, so that such a page is loaded anew; it has shown nothing that could be lost.
import { API_ROOT } from '../api/client';

const LOOK_MS = 3_000;
/** A page that does not come although the server answers is loaded anew by itself once in this time. */
const RELOAD_PAUSE_MS = 60_000;
const RELOADED = 'windfall.reloaded';

/** What is needed of the world; tests bring their own. */
export interface BackWorld {
  /** Whether the server answers. */
  answers(): Promise<boolean>;
  /** Whether the page may be loaded anew by itself; whoever asked has used it up. */
  claimReload(): boolean;
  reload(): void;
}

/** Whether an address may be loaded anew by itself: not twice in a row, which would never end. */
export function claimReload(
  kept: Pick<Storage, 'getItem' | 'setItem'>,
  address: string,
  nowMs: number,
): boolean {
  const [at, of] = (kept.getItem(RELOADED) ?? '').split(' ');
  if (of === address && nowMs - Number(at) < RELOAD_PAUSE_MS) return false;
  kept.setItem(RELOADED, `${nowMs} ${address}`);
  return true;
}

const browserWorld: BackWorld = {
  answers: async () => {
    try {
      return (await fetch(`${API_ROOT}/time`, { cache: 'no-store' })).ok;
    } catch {
      return false;
    }
  },
  claimReload: () => {
    try {
      return claimReload(sessionStorage, location.pathname, Date.now());
    } catch {
      // Without a memory nobody knows whether it was loaded anew already.
      return false;
    }
  },
  reload: () => location.reload(),
};

/** Loads the page anew, once, as soon as the server answers; the returned function ends the wait. */
export function reloadWhenBack(world: BackWorld = browserWorld): () => void {
  let over = false;
  const look = async () => {
    // Refused after a reload a moment ago: the next look asks again.
    if (over || !(await world.answers()) || over || !world.claimReload()) return;
    stop();
    world.reload();
  };
  const asked = () => void look();
  const timer = setInterval(asked, LOOK_MS);
  window.addEventListener('online', asked);
  const stop = () => {
    over = true;
    clearInterval(timer);
    window.removeEventListener('online', asked);
  };
  return stop;
}
