// What the server found wrong with a form: which of it is still there, and which words of this page name the field. Pure.

import type { Say, Word } from '../text';

interface Named {
  field: string;
}

/** What stands at a field of a form, as the server writes fields: `prizes[2].name`, `chances.day`. */
function valueAt(form: unknown, field: string): unknown {
  let at = form;
  for (const step of field.split(/[.[\]]+/).filter(Boolean)) {
    if (typeof at !== 'object' || at === null) return undefined;
    at = (at as Record<string, unknown>)[step];
  }
  return at;
}

/** The flaws whose fields are as they were when they were judged. The others are for the server to judge again. */
export function stillThere<F extends Named>(flaws: readonly F[], judged: unknown, now: unknown): F[] {
  return flaws.filter(
    ({ field }) => JSON.stringify(valueAt(judged, field)) === JSON.stringify(valueAt(now, field)),
  );
}

const LABELS: Record<string, readonly Word[]> = {
  name: ['basics.name'],
  name_en: ['basics.nameEn'],
  description: ['basics.description'],
  description_en: ['basics.descriptionEn'],
  organiser: ['texts.organiser'],
  organiser_en: ['texts.organiser_en'],
  rules: ['texts.rules'],
  rules_en: ['texts.rules_en'],
  contact: ['texts.contact'],
  kind: ['basics.kind'],
  from: ['act.from'],
  until: ['act.until'],
  zone: ['basics.zone'],
  game: ['basics.game'],
  ten: ['basics.tenLabel'],
  draw_at: ['basics.drawAt'],
  beacon: ['basics.beacon'],
  chances: ['basics.chances'],
  'chances.total': ['basics.chances', 'basics.total'],
  'chances.month': ['basics.chances', 'basics.month'],
  'chances.day': ['basics.chances', 'basics.day'],
  entries: ['basics.entries'],
  tree: ['basics.tree'],
  prizes: ['wizard.prizes'],
  'prizes.name': ['basics.name'],
  'prizes.kind': ['basics.kind'],
  'prizes.amount': ['prize.amount'],
  'prizes.picture': ['prize.picture'],
  'prizes.details': ['prize.details'],
  'prizes.name_en': ['basics.nameEn'],
  'prizes.details_en': ['prize.detailsEn'],
  'prizes.units': ['prize.units'],
  'prizes.cost_minor': ['prize.cost'],
  'prizes.grant': ['prize.grant'],
  'prizes.claim_within': ['prize.claimWithin'],
  'prizes.pool': ['prize.pool'],
  'prizes.slot': ['wheel.slots'],
  'prizes.odds': ['odds.share'],
  'prizes.unlock': ['rules.unlock'],
  'prizes.win_cap': ['rules.winCap'],
  'prizes.release': ['pacing.release'],
  'prizes.hourly_cap': ['pacing.hourly'],
  whole: ['odds.whole'],
  mode: ['odds.mode'],
  tiers: ['tiers.title'],
  consolation: ['rules.consolation'],
  fallback: ['rules.fallback'],
  'fallback.prize': ['rules.fallback', 'rules.prize'],
  'fallback.amount_min': ['rules.fallback', 'rules.min'],
  'fallback.amount_max': ['rules.fallback', 'rules.max'],
  'fallback.budget_amount': ['rules.fallback', 'rules.budget'],
  pity: ['rules.pity'],
  'pity.prize': ['rules.pity', 'rules.prize'],
  'pity.misses': ['rules.pity', 'rules.misses'],
  budget: ['pacing.budget'],
  'budget.total_minor': ['pacing.budget', 'pacing.total'],
  'budget.day_minor': ['pacing.budget', 'pacing.day'],
  'sale.name': ['goods.name'],
  'sale.item': ['goods.item'],
  'sale.details': ['goods.details'],
  'sale.pictures': ['goods.pictures'],
  'sale.pool': ['prize.pool'],
  'sale.price_minor': ['selling.each'],
  'sale.currency': ['selling.currency'],
  'sale.units': ['selling.units'],
  'sale.per_user': ['selling.perUser'],
  'sale.policy': ['selling.policy'],
  'sale.hold_s': ['selling.hold'],
  'sale.gate': ['selling.gate'],
  'sale.gate.room': ['selling.room'],
  'sale.gate.room.per_second': ['selling.perSecond'],
  code: ['gate.code'],
  second_code: ['second.code'],
};

/** A field by the words that stand beside it on the page; nothing where this page has none. */
export function labelOf(field: string, t: Say): string | undefined {
  const line = /^lines\.(\d+)$/.exec(field)?.[1];
  if (line) return t('flaw.line', { n: line });
  const place = /\[(\d+)\]/.exec(field)?.[1];
  // The name of the field, or of the nearest that it is in.
  let path = field.replace(/\[\d+\]/g, '');
  while (path && !LABELS[path]) path = path.slice(0, Math.max(0, path.lastIndexOf('.')));
  const words = LABELS[path]?.map((key) => t(key));
  if (!words) return undefined;
  const which =
    place !== undefined && field.startsWith('prizes[') ? [t('prize.nth', { n: Number(place) + 1 })] : [];
  return [...which, ...(path === 'prizes' && which.length > 0 ? [] : words)].join(' · ');
}
