// English and Chinese. First by the browser, then as the reader chose; kept on this device.
//
// Words are flat keys in one file per language and entry, fetched when they are needed, in i18next's form: `{{name}}` is
// filled in, and a `count` picks `_one` or `_other`. i18next itself would be an eighth of what the first page may weigh,
// for these few lines (docs/decisions has the reasons).
import { useSyncExternalStore } from 'react';

export const LANGUAGES = ['zh', 'en'] as const;
export type Language = (typeof LANGUAGES)[number];
export type Words = Record<string, string>;
/** Fetches the words of each language. */
export type Shelf = Record<Language, () => Promise<{ default: Words }>>;

const KEPT = 'windfall.language';
const SHARED: Shelf = { en: () => import('./words/en'), zh: () => import('./words/zh') };
const shelves: Shelf[] = [SHARED];
const known: Record<Language, Words> = { en: {}, zh: {} };
const fetched = new Set<() => Promise<{ default: Words }>>();
const listeners = new Set<() => void>();
let current: Language = 'en';

/** The best of what the reader's browser asks for. */
export function preferred(wanted: readonly string[]): Language {
  for (const tag of wanted) {
    const language = LANGUAGES.find((known) => tag.toLowerCase().startsWith(known));
    if (language) return language;
  }
  return 'en';
}

export function currentLanguage(): Language {
  return current;
}

export async function startI18n(words: Shelf): Promise<void> {
  shelves.push(words);
  await show(read() ?? preferred(navigator.languages ?? [navigator.language]));
}

export async function switchLanguage(language: Language): Promise<void> {
  await show(language);
  try {
    localStorage.setItem(KEPT, language);
  } catch {
    // Private windows may keep nothing; the choice then lasts as long as the page.
  }
}

/** Further words, for pages that are fetched later. */
export async function addWords(words: Shelf): Promise<void> {
  if (!shelves.includes(words)) shelves.push(words);
  await fetchWords(current);
}

async function fetchWords(language: Language): Promise<void> {
  const missing = shelves.map((shelf) => shelf[language]).filter((fetch) => !fetched.has(fetch));
  await Promise.all(
    missing.map(async (fetch) => {
      Object.assign(known[language], (await fetch()).default);
      fetched.add(fetch);
    }),
  );
}

async function show(language: Language): Promise<void> {
  await fetchWords(language);
  current = language;
  mark(language);
  for (const listener of listeners) listener();
}

function mark(language: Language): void {
  document.documentElement.lang = language === 'zh' ? 'zh-CN' : 'en';
}

function read(): Language | undefined {
  try {
    const kept = localStorage.getItem(KEPT);
    return LANGUAGES.find((known) => known === kept);
  } catch {
    return undefined;
  }
}

export type Values = Record<string, string | number>;
/** Says a word by its key, of those that an entry has. */
export type Say<Key extends string = string> = (key: Key, values?: Values) => string;
/** The keys of words: what is counted has one key for all its forms. */
export type KeyOf<W> = W extends unknown ? Stem<Extract<keyof W, string>> : never;
type Stem<Key extends string> = Key extends `${infer S}_one` | `${infer S}_other` ? S : Key;

/** The words of a key, filled in; the key itself where there are none, so that a gap is seen and nothing breaks. */
export function wordsOf(words: Words, language: Language, key: string, values: Values = {}): string {
  const { count } = values;
  const form = typeof count === 'number' ? new Intl.PluralRules(tag(language)).select(count) : undefined;
  const text = (form && (words[`${key}_${form}`] ?? words[`${key}_other`])) ?? words[key] ?? key;
  return text.replace(/\{\{(\w+)\}\}/g, (gap, name: string) => String(values[name] ?? gap));
}

const say: Say = (key, values) => wordsOf(known[current], current, key, values);

/** Calls back after the language has changed. */
export function onLanguage(changed: () => void): void {
  listeners.add(changed);
}

const follow = (changed: () => void) => {
  listeners.add(changed);
  return () => listeners.delete(changed);
};

/** Draws its component anew when the language changes. */
export function useLanguage(): Language {
  return useSyncExternalStore(follow, currentLanguage);
}

/**
 * The words of the current language; whoever uses it is drawn anew when the language changes. Each entry has its own with
 * the keys that it has (`text.ts`), so that a key without words is an error of the compiler.
 */
export function useWords<Key extends string>(): { t: Say<Key>; language: Language } {
  return { t: say, language: useLanguage() };
}

const tag = (language: Language): string => (language === 'zh' ? 'zh-CN' : 'en');

export function formatNumber(value: number, language: Language): string {
  return new Intl.NumberFormat(tag(language)).format(value);
}

/** A change: with its sign, and nothing where nothing changed. */
export function formatSigned(value: number, language: Language): string {
  return value === 0 ? '' : new Intl.NumberFormat(tag(language), { signDisplay: 'always' }).format(value);
}

/** A moment for people: day and time, in the reader's own zone. */
export function formatMoment(ms: number, language: Language): string {
  return new Intl.DateTimeFormat(tag(language), {
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).format(ms);
}

/** The same without the year, for lists. */
export function formatShort(ms: number, language: Language): string {
  return new Intl.DateTimeFormat(tag(language), {
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).format(ms);
}

/** The hour of a moment, in the reader's own zone. */
export function formatHour(ms: number, language: Language): string {
  const clock = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
  return new Intl.DateTimeFormat(tag(language), clock).format(ms);
}

/** The day of a moment, without its year. */
export function formatDay(ms: number, language: Language): string {
  return new Intl.DateTimeFormat(tag(language), { month: 'short', day: 'numeric' }).format(ms);
}

/** Whether a moment is on a later day than now, in the reader's own zone. */
export function isLaterDay(ms: number, now: number): boolean {
  return new Date(ms).toDateString() !== new Date(now).toDateString();
}

/** A time zone as people call it: “China Standard Time”, not “Asia/Shanghai”. */
export function formatZone(zone: string, language: Language): string {
  try {
    const parts = new Intl.DateTimeFormat(tag(language), { timeZone: zone, timeZoneName: 'longGeneric' });
    const name = parts.formatToParts(0).find(({ type }) => type === 'timeZoneName')?.value;
    // Where a browser has no more than a difference to Greenwich, the zone's own name says more.
    return name === undefined || /^GMT\b/.test(name) ? zone : name;
  } catch {
    // A zone that this browser does not know has no other name.
    return zone;
  }
}
