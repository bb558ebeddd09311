import type { Language } from '../i18n';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** “In 0 seconds” is no way to speak in either language. */
const JUST_NOW: Record<Language, string> = { en: 'just now', zh: '刚刚' };
/** Older moments are said by their date. */
const RELATIVE_MAX_MS = 7 * DAY_MS;

/** How long ago a moment was, as people say it: “3 min. ago”, then a date, with its year once that is another one. */
export function ageText(at: number, now: number, language: Language): string {
  const tag = language === 'zh' ? 'zh-CN' : 'en';
  const ago = Math.max(0, now - at);
  const relative = new Intl.RelativeTimeFormat(tag, { numeric: 'auto', style: 'short' });
  if (ago < MINUTE_MS) return JUST_NOW[language];
  if (ago < HOUR_MS) return relative.format(-Math.floor(ago / MINUTE_MS), 'minute');
  if (ago < DAY_MS) return relative.format(-Math.floor(ago / HOUR_MS), 'hour');
  if (ago < RELATIVE_MAX_MS) return relative.format(-Math.floor(ago / DAY_MS), 'day');
  const sameYear = new Date(at).getFullYear() === new Date(now).getFullYear();
  return new Intl.DateTimeFormat(tag, {
    ...(sameYear ? {} : { year: 'numeric' }),
    month: 'short',
    day: 'numeric',
  }).format(at);
}
