// English and Chinese. First by the browser, then as the reader chose; kept on this device.
//
// Words are flat keys in one file per language and entry; a language's file is fetched when it is needed.
import i18next from 'i18next';
import { useSyncExternalStore } from 'react';

export const LANGUAGES = ['zh', 'en'] as const;
export type Language = (typeof LANGUAGES)[number];
export type Words = Record<string, string>;
/** Fetches the words of each language. */
export type Shelf = Record<Language, () => Promise<{ default: Words }>>;

const KEPT = 'windfall.language';
const SHARED: Shelf = { en: () => import('./words/en'), zh: () => import('./words/zh') };
const shelves: Shelf[] = [SHARED];

/** The best of what the reader's browser asks for. */
export function preferred(wanted: readonly string[]): Language {
  for (const tag of wanted) {
    const language = LANGUAGES.find((known) => tag.toLowerCase().startsWith(known));
    if (language) return language;
  }
  return 'en';
}

export function currentLanguage(): Language {
  return (i18next.language as Language | undefined) ?? 'en';
}

export async function startI18n(words: Shelf): Promise<void> {
  shelves.push(words);
  const kept = read();
  const lng = kept ?? preferred(navigator.languages ?? [navigator.language]);
  await i18next.init({
    lng,
    fallbackLng: false,
    keySeparator: false,
    nsSeparator: false,
    interpolation: { escapeValue: false },
    resources: {},
    showSupportNotice: false,
  } as Parameters<typeof i18next.init>[0]);
  await fetchWords(lng);
  await i18next.changeLanguage(lng);
  mark(lng);
}

export async function switchLanguage(language: Language): Promise<void> {
  await fetchWords(language);
  await i18next.changeLanguage(language);
  mark(language);
  try {
    localStorage.setItem(KEPT, language);
  } catch {
    // Private windows may keep nothing; the choice then lasts as long as the page.
  }
}

async function fetchWords(language: Language): Promise<void> {
  if (i18next.hasResourceBundle(language, 'translation')) return;
  const parts = await Promise.all(shelves.map((shelf) => shelf[language]()));
  i18next.addResourceBundle(language, 'translation', Object.assign({}, ...parts.map((part) => part.default)));
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

export type Say = (key: string, values?: Record<string, string | number>) => string;

const say: Say = (key, values) => i18next.t(key, values ?? {});

/** The words of the current language; whoever uses it is drawn anew when the language changes. */
export function useText(): { t: Say; language: Language } {
  const language = useSyncExternalStore(
    (changed) => {
      i18next.on('languageChanged', changed);
      return () => i18next.off('languageChanged', changed);
    },
    currentLanguage,
    currentLanguage,
  );
  return { t: say, language };
}

const tag = (language: Language): string => (language === 'zh' ? 'zh-CN' : 'en');

export function formatNumber(value: number, language: Language): string {
  return new Intl.NumberFormat(tag(language)).format(value);
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
