// What people wrote comes in one or two languages: `name` is shown to everybody, `name_en` to readers of English instead.
// The pages read `name` and never choose: answers are turned to the reader's language when they come, and again when the
// reader switches.
import type { Language } from './index';

const ENGLISH = '_en';
/** Keeps the first text, so that switching back needs no request. */
const FIRST = '_first';

/** An answer with every text in the language of its reader. Nothing that has one language only is copied. */
export function inLanguage<T>(answer: T, language: Language): T {
  return turn(answer, language) as T;
}

function turn(value: unknown, language: Language): unknown {
  if (Array.isArray(value)) {
    const turned = value.map((one) => turn(one, language));
    return turned.some((one, at) => one !== value[at]) ? turned : value;
  }
  if (typeof value !== 'object' || value === null) return value;
  const given = value as Record<string, unknown>;
  const changed: Record<string, unknown> = {};
  for (const [key, one] of Object.entries(given)) {
    const inside = turn(one, language);
    if (inside !== one) changed[key] = inside;
    if (!key.endsWith(ENGLISH) || typeof one !== 'string' || one === '') continue;
    const text = key.slice(0, -ENGLISH.length);
    const first = given[text + FIRST] ?? given[text] ?? '';
    changed[text + FIRST] = first;
    changed[text] = language === 'en' || first === '' ? one : first;
  }
  return Object.keys(changed).length > 0 ? { ...given, ...changed } : value;
}

/** A text of the site's configuration, which has a pair of its own. */
export function ofBoth(pair: { text: string; en: string }, language: Language): string {
  return (language === 'en' ? pair.en || pair.text : pair.text || pair.en).trim();
}
