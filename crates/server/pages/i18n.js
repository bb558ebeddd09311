// The reader's language: as the browser asks until they choose, and remembered from then on.

import { WORDS } from './words.js';

const STORE = 'windfall.lang';
const LANGS = { en: 0, zh: 1 };

function remembered() {
  try { return localStorage.getItem(STORE); } catch { return null; } // Storage may be forbidden.
}

function fromBrowser() {
  const wanted = navigator.languages?.length ? navigator.languages : [navigator.language ?? 'en'];
  const known = wanted.map((tag) => tag.toLowerCase().split('-')[0]).find((tag) => tag in LANGS);
  return known ?? 'en';
}

let lang = remembered() in LANGS ? remembered() : fromBrowser();
document.documentElement.lang = tag();

/** The language as a BCP 47 tag, for <html lang>, Intl and Accept-Language. */
export function tag() {
  return lang === 'zh' ? 'zh-CN' : 'en';
}

export function other() {
  return lang === 'zh' ? { lang: 'en', tag: 'en', label: 'English' } : { lang: 'zh', tag: 'zh-CN', label: '中文' };
}

export function choose(next) {
  lang = next;
  document.documentElement.lang = tag();
  try { localStorage.setItem(STORE, next); } catch { /* It then lasts for this page only. */ }
}

// Both languages stand side by side in one table, so a key cannot exist in one only; an empty half is a slip.
for (const [key, pair] of Object.entries(WORDS)) {
  if (pair.length !== 2 || !pair[0] || !pair[1]) throw new Error(`words.js: "${key}" lacks a language`);
}

/** The words for a key; {name} is replaced from `values`. */
export function t(key, values = {}) {
  const pair = WORDS[key];
  if (!pair) throw new Error(`words.js: no "${key}"`);
  return pair[LANGS[lang]].replace(/\{(\w+)\}/g, (_, name) => values[name] ?? '');
}

/** Words for a name the server sent; a name newer than this page is shown as it is. */
export function named(kind, name) {
  return `${kind}.${name}` in WORDS ? t(`${kind}.${name}`) : name;
}

/** A moment in the reader's zone. */
export function moment(ms) {
  return new Intl.DateTimeFormat(tag(), { dateStyle: 'medium', timeStyle: 'short' }).format(ms);
}

/** The same, to the second and with its zone, for titles. */
export function exactMoment(ms) {
  return new Intl.DateTimeFormat(tag(), { dateStyle: 'full', timeStyle: 'long' }).format(ms);
}

/** A calendar day such as 2026-11-15. It is already a day in the site's zone, so no zone may move it. */
export function day(text) {
  const [year, month, date] = text.split('-').map(Number);
  return new Intl.DateTimeFormat(tag(), { dateStyle: 'medium', timeZone: 'UTC' }).format(Date.UTC(year, month - 1, date));
}

export const number = (value) => new Intl.NumberFormat(tag()).format(value);

export const list = (items) => new Intl.ListFormat(tag(), { type: 'conjunction' }).format(items);
