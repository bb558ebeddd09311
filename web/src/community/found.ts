// What a search found: where it leads, and in which language it is shown.
import type { FoundBody, TextPartBody } from '../api/wire';
import type { Language } from '../i18n';

export const SEARCH_KINDS = ['post', 'person', 'activity', 'item'] as const;
export type SearchKindName = (typeof SEARCH_KINDS)[number];

export function searchKindOf(text: string | null): SearchKindName {
  return SEARCH_KINDS.find((kind) => kind === text) ?? 'post';
}

/** The address of the page with these results. */
export function searchPath(query: string, kind: SearchKindName): string {
  const params = new URLSearchParams();
  if (query) params.set('q', query);
  if (kind !== 'post') params.set('kind', kind);
  return params.size > 0 ? `/search?${params}` : '/search';
}

export function foundPath({ kind, id }: Pick<FoundBody, 'kind' | 'id'>): string {
  switch (kind) {
    case 'post':
      return `/posts/${id}`;
    case 'person':
      return `/members/${id}`;
    case 'activity':
      return `/activities/${id}`;
    case 'sale':
      return `/sales/${id}`;
    case 'offer':
      return '/shop';
  }
}

/** Readers of English see the English text where there is one. */
export function partsOf(
  parts: TextPartBody[] | undefined,
  english: TextPartBody[] | undefined,
  language: Language,
): TextPartBody[] {
  return (language === 'en' && english?.length ? english : parts) ?? [];
}
