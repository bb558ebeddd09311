// What was written in a dialog and not sent yet. Closing the dialog keeps it for the next time; leaving the page asks first.
import { useState } from 'react';
import type { Field } from '../logic/fields';
import { useGuard } from './useGuard';

export type Draft = Readonly<Record<string, string>>;

/** The texts of those fields that are written at length. Whatever is secret, short or chosen is not kept. */
export function draftOf(fields: readonly Field[], typed: Readonly<Record<string, unknown>>): Draft {
  const texts = fields
    .filter(({ kind }) => kind === 'area')
    .flatMap(({ name, initial }) => {
      const text = typed[name];
      return typeof text === 'string' && text.trim() !== '' && text !== initial ? [[name, text]] : [];
    });
  return Object.fromEntries(texts);
}

/** A draft for as long as the button of its dialog is there. */
export function useDraft(): { draft: Draft; keep: (draft: Draft) => void } {
  const [draft, keep] = useState<Draft>({});
  return { draft, keep };
}

/** While a dialog with a draft is open, nobody leaves the page by accident. */
export function useDraftGuard(draft: Draft, question: string): void {
  useGuard(Object.keys(draft).length > 0, question);
}
