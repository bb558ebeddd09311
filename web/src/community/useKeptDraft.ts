// What is being written, kept on this device: a reload, a call or an empty battery costs nothing. It is gone when it is
// published or thrown away.
import { useCallback, useState } from 'react';

export interface PostDraft {
  title: string;
  link: string;
  body: string;
}

export const EMPTY_DRAFT: PostDraft = { title: '', link: '', body: '' };
const PREFIX = 'windfall.draft.';

export function isSameDraft(a: PostDraft, b: PostDraft): boolean {
  return a.title === b.title && a.link === b.link && a.body === b.body;
}

/** What was kept at a place, if it reads as a draft. */
export function keptDraft(place: string): PostDraft | undefined {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(PREFIX + place) ?? 'null');
    if (typeof kept !== 'object' || kept === null) return undefined;
    const { title, link, body } = kept as Record<string, unknown>;
    if (typeof title !== 'string' || typeof link !== 'string' || typeof body !== 'string') return undefined;
    return { title, link, body };
  } catch {
    return undefined;
  }
}

function keep(place: string, draft: PostDraft | undefined): boolean {
  try {
    if (draft) localStorage.setItem(PREFIX + place, JSON.stringify(draft));
    else localStorage.removeItem(PREFIX + place);
    return true;
  } catch {
    // A browser that keeps nothing: the draft lasts as long as the page.
    return false;
  }
}

/** A draft that begins as `start` unless one was kept. What equals the start is not kept. */
export function useKeptDraft(place: string, start: PostDraft) {
  const [kept] = useState(() => keptDraft(place));
  const [draft, setDraft] = useState<PostDraft>(kept ?? start);
  const [saved, setSaved] = useState(false);
  const change = useCallback(
    (part: Partial<PostDraft>) => {
      const next = { ...draft, ...part };
      setDraft(next);
      setSaved(keep(place, isSameDraft(next, start) ? undefined : next) && !isSameDraft(next, start));
    },
    [draft, place, start],
  );
  /** Nothing is kept any more; the page shows what it began with. */
  const discard = useCallback(() => {
    keep(place, undefined);
    setDraft(start);
    setSaved(false);
  }, [place, start]);
  return { draft, change, discard, saved, restored: kept !== undefined && !isSameDraft(kept, start) };
}
