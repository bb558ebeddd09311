// Where a page begins: at the top when it is come to, and where it was left when somebody goes back to it.
//
// The data router of the console does this by itself; it would be a seventh of what the first page may weigh.
import { useLayoutEffect, useRef } from 'react';
import { type Location, useLocation, useNavigationType } from 'react-router';

const KEPT = 'windfall.scroll';
/** Entries of the history that are remembered. */
const PLACES_MAX = 50;
/** For so long a page that is still being fetched is given time to become as long as it was. */
const PATIENCE_MS = 2000;

type Places = Map<string, number>;

function read(): Places {
  try {
    return new Map(JSON.parse(sessionStorage.getItem(KEPT) ?? '[]') as [string, number][]);
  } catch {
    return new Map();
  }
}

function write(places: Places): void {
  try {
    sessionStorage.setItem(KEPT, JSON.stringify([...places].slice(-PLACES_MAX)));
  } catch {
    // A browser that keeps nothing: places last as long as the page.
  }
}

const places: Places = read();

/** Remembers how far down the page of an address is. */
export function leavePlace({ key }: Pick<Location, 'key'>, y: number): void {
  places.delete(key);
  places.set(key, y);
  write(places);
}

/** How far down the page of an address begins: where it was left, or at the top. */
export function placeOf({ key }: Pick<Location, 'key'>, back: boolean): number {
  return back ? (places.get(key) ?? 0) : 0;
}

/** Scrolls down as soon as the page is long enough, unless the reader moves first. Answers how to stop. */
function scrollWhenLong(y: number): () => void {
  const until = Date.now() + PATIENCE_MS;
  let frame = 0;
  const stop = () => {
    cancelAnimationFrame(frame);
    for (const kind of ['wheel', 'touchmove', 'keydown']) window.removeEventListener(kind, stop);
  };
  const look = () => {
    window.scrollTo(0, y);
    if (window.scrollY >= y || Date.now() > until) stop();
    else frame = requestAnimationFrame(look);
  };
  for (const kind of ['wheel', 'touchmove', 'keydown'])
    window.addEventListener(kind, stop, { passive: true });
  look();
  return stop;
}

/** For the frame of all pages. */
export function useScroll(): void {
  const { key: entry, pathname } = useLocation();
  // The first entry of every history has the same key, whatever its address.
  const key = `${entry} ${pathname}`;
  const back = useNavigationType() === 'POP';
  // Told by the events and not read at the end: by then the next page is there, and may be shorter.
  const seen = useRef(0);
  useLayoutEffect(() => {
    window.history.scrollRestoration = 'manual';
    const note = () => {
      seen.current = window.scrollY;
    };
    const leave = () => leavePlace({ key }, seen.current);
    window.addEventListener('scroll', note, { passive: true });
    window.addEventListener('pagehide', leave);
    return () => {
      window.removeEventListener('scroll', note);
      window.removeEventListener('pagehide', leave);
      leave();
    };
  }, [key]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another filter of the same page leaves it where it is
  useLayoutEffect(() => {
    seen.current = 0;
    return scrollWhenLong(placeOf({ key }, back));
  }, [pathname]);
}
