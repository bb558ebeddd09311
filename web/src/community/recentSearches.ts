// What was searched for lately, kept on this device alone and never sent anywhere.

const PLACE = 'windfall.searches';
export const RECENT_MAX = 8;

/** The newest first. */
export function recentSearches(): string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(PLACE) ?? '[]');
    if (!Array.isArray(kept)) return [];
    return kept.filter((one): one is string => typeof one === 'string' && one !== '').slice(0, RECENT_MAX);
  } catch {
    return [];
  }
}

function keep(searches: readonly string[]) {
  try {
    if (searches.length > 0) localStorage.setItem(PLACE, JSON.stringify(searches));
    else localStorage.removeItem(PLACE);
  } catch {
    // A browser that keeps nothing has no searches to show.
  }
}

/** Puts a search first; the same one is not kept twice. */
export function addRecentSearch(search: string) {
  keep([search, ...recentSearches().filter((one) => one !== search)].slice(0, RECENT_MAX));
}

export function clearRecentSearches() {
  keep([]);
}
