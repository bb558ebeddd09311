// A change of an activity's field as people read it: what the form calls it, and values with their units. Pure.
import { formatNumber, type Language } from '../../i18n';
import type { Say, Word } from '../text';
import { percent } from './odds';

/** What a change needs to be read. */
export interface Reading {
  t: Say;
  language: Language;
  /** What prizes, pools and trees are called: `prizes.3`, `pool.7`, `tree.9`. */
  names: Readonly<Record<string, string>>;
  /** The parts that chances are counted in. */
  whole: number;
  money: (minor: number) => string;
  moment: (ms: number) => string;
}

const PRIZE = /^(?:tables\.(\d+)\.)?prizes\.(\d+)\.(.+)$/;
const TABLE = /^tables\.(\d+)\.(.+)$/;
const UNITS = [
  [86_400_000, 'days'],
  [3_600_000, 'hours'],
  [60_000, 'minutes'],
  [1000, 'seconds'],
] as const;

/** "Mug: chance" instead of `prizes.3.odds`. */
export function fieldLabel(field: string, { t, names }: Reading): string {
  const [, step, prize, part] = PRIZE.exec(field) ?? [];
  if (prize !== undefined && part !== undefined) {
    const name = names[`prizes.${prize}`] || `#${prize}`;
    const table = step === undefined ? '' : ` (${t('field.table', { n: step })})`;
    return `${name}${table}: ${t(`field.prize.${part}` as Word)}`;
  }
  const [, table, rest] = TABLE.exec(field) ?? [];
  if (table !== undefined && rest !== undefined) {
    return `${t(`field.${rest}` as Word)} (${t('field.table', { n: table })})`;
  }
  return t(`field.${field}` as Word);
}

/** A value in local time, in money, in per cent or by its name, as its field asks. */
export function fieldValue(field: string, text: string, reading: Reading): string {
  const { t, language, names, whole, money, moment } = reading;
  const part = PRIZE.exec(field)?.[3] ?? TABLE.exec(field)?.[2] ?? field;
  const last = part.split('.').at(-1) ?? part;
  const named = (shelf: string) => names[`${shelf}.${text}`] ?? text;
  if (last.endsWith('_minor')) return money(Number(text));
  if (last.endsWith('_ms')) return spanText(Number(text), reading);
  if (text === 'true' || text === 'false') return t(text === 'true' ? 'field.yes' : 'field.no');
  switch (last) {
    case 'from':
    case 'until':
    case 'draw_at':
      return moment(Date.parse(text));
    case 'grant':
      return /^\d+$/.test(text) ? moment(Number(text)) : t(`field.grant.${text}` as Word);
    case 'odds':
      return `${percent(Number(text), whole)}%`;
    case 'release':
      return text
        .split(', ')
        .map((step) => step.split(' from '))
        .map(([units = '', at = '']) => t('field.release', { units, at: moment(Date.parse(at)) }))
        .join('\n');
    case 'pool':
      return named('pool');
    case 'tree':
      return named('tree');
    case 'prize':
    case 'consolation':
      return named('prizes');
    case 'prizes':
    case 'cards':
    case 'slices':
      return text
        .split(', ')
        .map((id) => names[`prizes.${id}`] || `#${id}`)
        .join(', ');
    case 'kind':
      return t(`kind.${text}` as Word);
    default:
      return /^\d{4,}$/.test(text) ? formatNumber(Number(text), language) : text;
  }
}

/** In the largest unit that says it whole. */
export function spanText(ms: number, { t, language }: Pick<Reading, 't' | 'language'>): string {
  const [size, word] = UNITS.find(([unit]) => ms >= unit && ms % unit === 0) ?? UNITS[3];
  const count = ms / size;
  return t(`field.${word}`, { count, n: formatNumber(count, language) });
}
