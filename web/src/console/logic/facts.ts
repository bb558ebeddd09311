// Facts as people type them. Pure.
import type { FactBody, FactKind } from '../../api/wire';

/** What was typed, as a fact of its kind; undefined where it is none. */
export function factOf(kind: FactKind, typed: string): FactBody | undefined {
  const text = typed.trim();
  switch (kind) {
    case 'number':
      return /^-?\d+$/.test(text) ? Number(text) : undefined;
    case 'flag':
      return text === 'true' ? true : text === 'false' ? false : undefined;
    case 'tags':
      return text.split(/[,，\s]+/).filter(Boolean) as unknown as FactBody;
    case 'text':
      return text === '' ? undefined : text;
  }
}

export function showFact(value: unknown): string {
  return Array.isArray(value) ? value.join(', ') : String(value);
}
