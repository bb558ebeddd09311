// One id per wish. A write that must not happen twice carries an id; the id is made when something is first wished for
// and kept until the server has answered for good, so that pressing again after a lost or unknown answer asks for the
// same thing and not for another one. Pages make their ids here and nowhere else; a test holds them to it.
import { useRef } from 'react';
import { freshId } from './client';
import { isFinalRefusal } from './problem';

/** Where an id outlives the page: the tab's own storage. Anything with the same three methods will do. */
export type IdStore = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

interface Wish {
  /** What is asked for, as text: another wish has another id. */
  asked: string;
  id: string;
}

/** Sends what is asked for under the id of that wish, and forgets the id when the answer is final. */
export type Once = <T>(asked: unknown, send: (id: string) => Promise<T>) => Promise<T>;

/** With a `place`, the id survives a reload of the page. What is asked for is kept beside it: put no secrets there. */
export function makeOnce(place?: string, store: () => IdStore | undefined = tabStore): Once {
  let wish: Wish | undefined;
  const kept = (): Wish | undefined => {
    if (wish || place === undefined) return wish;
    try {
      return JSON.parse(store()?.getItem(place) ?? 'null') ?? undefined;
    } catch {
      return undefined;
    }
  };
  const keep = (next: Wish | undefined): void => {
    wish = next;
    if (place === undefined) return;
    try {
      if (next) store()?.setItem(place, JSON.stringify(next));
      else store()?.removeItem(place);
    } catch {
      // A browser that keeps nothing: the id lasts as long as the page.
    }
  };
  return async (asked, send) => {
    const text = JSON.stringify(asked);
    const before = kept();
    const mine = before?.asked === text ? before : { asked: text, id: freshId() };
    keep(mine);
    const settle = () => {
      if (kept()?.id === mine.id) keep(undefined);
    };
    try {
      const answer = await send(mine.id);
      settle();
      return answer;
    } catch (error) {
      if (isFinalRefusal(error)) settle();
      throw error;
    }
  };
}

function tabStore(): IdStore | undefined {
  return typeof sessionStorage === 'undefined' ? undefined : sessionStorage;
}

/** The same for as long as a component is there. */
export function useOnce(place?: string): Once {
  const once = useRef<{ place: string | undefined; once: Once }>(undefined);
  if (!once.current || once.current.place !== place) once.current = { place, once: makeOnce(place) };
  return once.current.once;
}
