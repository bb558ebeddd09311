// An activity while it is written: the API's form with every field there, and back. Pure.
//
// What the API leaves out is null here or empty. What a raffle or a sale does not have is not sent for one, and kept all
// the same, so that trying another kind loses nothing.
import type {
  ActivityForm,
  ActivityKind,
  Game,
  OddsMode,
  PrizeForm,
  PrizeKind,
  TierBy,
  UnlockScope,
} from '../../api/wire';
import { newSale, type SaleDraft, saleDraftOf, saleFormOf } from './sale';

export const MILLION = 1_000_000;

/** Kinds that are so many of something. */
export const COUNTED: ReadonlySet<PrizeKind> = new Set<PrizeKind>(['points', 'chances']);

export interface Unlock {
  draws: number;
  scope: UnlockScope;
  currentCounts: boolean;
}

export interface PrizeDraft {
  /** Rules name prizes by it; it stays with the prize. */
  id: number;
  name: string;
  /** For readers of English; empty where it is the same. */
  nameEn: string;
  slot: number | null;
  /** Null: given by a rule or a tier only. */
  odds: number | null;
  locked: boolean;
  units: number | null;
  unlimited: boolean;
  costMinor: number;
  kind: PrizeKind;
  amount: number | null;
  details: string;
  detailsEn: string;
  picture: string;
  grant: 'now' | 'by_hand' | number;
  claimWithin: string;
  pool: string | null;
  unlock: Unlock | null;
  winCap: number | null;
  release: { at: number; units: number }[];
  hourlyCap: number | null;
  /** Risk labels whose carriers cannot win it. */
  withdrawnFor: string[];
}

export interface TierDraft {
  from: number;
  odds: { prize: number; odds: number }[];
}

/** What players read besides name and description; `_en` is for readers of English. */
export const TEXT_FIELDS = [
  'name_en',
  'description_en',
  'organiser',
  'organiser_en',
  'rules',
  'rules_en',
  'contact',
] as const;
export type Texts = Record<(typeof TEXT_FIELDS)[number], string>;

function textsOf(form: Partial<Texts>): Texts {
  return Object.fromEntries(TEXT_FIELDS.map((field) => [field, form[field] ?? ''])) as Texts;
}

/** Those that say something. */
function filledTexts(texts: Texts): Partial<Texts> {
  const filled = TEXT_FIELDS.map((field) => [field, texts[field].trim()] as const);
  return Object.fromEntries(filled.filter(([, text]) => text !== ''));
}

export interface Draft {
  name: string;
  description: string;
  texts: Texts;
  from: number;
  until: number;
  zone: string;
  kind: ActivityKind;
  sale: SaleDraft;
  /** Null: the players' page chooses one that fits. */
  game: Game | null;
  ten: boolean;
  drawAt: number | null;
  beacon: string;
  entries: number | null;
  chances: { total: number; month: number | null; day: number | null };
  tree: string | null;
  whole: number;
  mode: OddsMode;
  prizes: PrizeDraft[];
  tiersBy: TierBy;
  tiers: TierDraft[];
  consolation: number | null;
  fallback: { prize: number; min: number; max: number; budget: number } | null;
  pity: { prize: number; misses: number } | null;
  budgetTotal: number | null;
  budgetDay: number | null;
  missSlot: number | null;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** A new activity: from the next full hour on for a week, three chances a day, nothing to win yet. */
export function newDraft(nowMs: number, zone: string): Draft {
  const from = Math.ceil(nowMs / HOUR_MS) * HOUR_MS;
  return {
    name: '',
    description: '',
    texts: textsOf({}),
    from,
    until: from + 7 * DAY_MS,
    zone,
    kind: 'instant',
    sale: newSale(),
    game: null,
    ten: false,
    drawAt: null,
    beacon: '',
    entries: null,
    chances: { total: 21, month: null, day: 3 },
    tree: null,
    whole: MILLION,
    mode: 'fixed',
    prizes: [],
    tiersBy: 'draws',
    tiers: [],
    consolation: null,
    fallback: null,
    pity: null,
    budgetTotal: null,
    budgetDay: null,
    missSlot: null,
  };
}

export function newPrize(prizes: readonly PrizeDraft[]): PrizeDraft {
  return {
    id: prizes.reduce((next, { id }) => Math.max(next, id + 1), 0),
    name: '',
    nameEn: '',
    slot: null,
    odds: 0,
    locked: false,
    units: 100,
    unlimited: false,
    costMinor: 0,
    kind: 'text',
    amount: null,
    details: '',
    detailsEn: '',
    picture: '',
    grant: 'now',
    claimWithin: '',
    pool: null,
    unlock: null,
    winCap: null,
    release: [],
    hourlyCap: null,
    withdrawnFor: [],
  };
}

/** Moments are written as milliseconds by the server, which also reads texts. */
function momentOf(given: unknown): number {
  return typeof given === 'number' ? given : Date.parse(String(given));
}

export function draftOf(form: ActivityForm): Draft {
  return {
    name: form.name,
    description: form.description ?? '',
    texts: textsOf(form),
    from: momentOf(form.from),
    until: momentOf(form.until),
    zone: form.zone ?? 'UTC',
    kind: form.kind ?? 'instant',
    sale: saleDraftOf(form.sale, form.name),
    game: form.game ?? null,
    ten: form.ten ?? false,
    drawAt: form.draw_at === undefined || form.draw_at === null ? null : momentOf(form.draw_at),
    beacon: form.beacon ?? '',
    entries: form.entries ?? null,
    chances: {
      total: form.chances?.total ?? 0,
      month: form.chances?.month ?? null,
      day: form.chances?.day ?? null,
    },
    tree: form.tree ?? null,
    whole: form.whole ?? MILLION,
    mode: form.mode ?? 'fixed',
    prizes: (form.prizes ?? []).map(prizeDraftOf),
    tiersBy: form.tiers?.by ?? 'draws',
    tiers: (form.tiers?.steps ?? []).map(({ from, odds }) => ({
      from,
      odds: odds.map((one) => ({ ...one })),
    })),
    consolation: form.consolation ?? null,
    fallback: form.fallback
      ? {
          prize: form.fallback.prize,
          min: form.fallback.amount_min,
          max: form.fallback.amount_max,
          budget: form.fallback.budget_amount,
        }
      : null,
    pity: form.pity ? { ...form.pity } : null,
    budgetTotal: form.budget?.total_minor ?? null,
    budgetDay: form.budget?.day_minor ?? null,
    missSlot: form.miss_slot ?? null,
  };
}

function prizeDraftOf(prize: PrizeForm, place: number): PrizeDraft {
  const grant: unknown = prize.grant ?? 'now';
  return {
    id: prize.id ?? place,
    name: prize.name,
    nameEn: prize.name_en ?? '',
    slot: prize.slot ?? null,
    odds: prize.odds ?? null,
    locked: false,
    units: prize.units ?? null,
    unlimited: prize.unlimited ?? false,
    costMinor: prize.cost_minor ?? 0,
    kind: prize.kind ?? 'text',
    amount: prize.amount ?? null,
    details: prize.details ?? '',
    detailsEn: prize.details_en ?? '',
    picture: prize.picture ?? '',
    grant: grant === 'now' || grant === 'by_hand' ? grant : momentOf(grant),
    claimWithin: prize.claim_within ?? '',
    pool: prize.pool ?? null,
    unlock: prize.unlock
      ? {
          draws: prize.unlock.draws,
          scope: prize.unlock.scope ?? 'in_all',
          currentCounts: prize.unlock.current_counts ?? true,
        }
      : null,
    winCap: prize.win_cap ?? null,
    release: (prize.release ?? []).map(({ at, units }) => ({ at: momentOf(at), units })),
    hourlyCap: prize.hourly_cap ?? null,
    withdrawnFor: prize.withdrawn_for ?? [],
  };
}

/** What is sent. Fields that are empty, or not for this kind, are left out. */
export function formOf(draft: Draft): ActivityForm {
  const instant = draft.kind === 'instant';
  const shared = {
    name: draft.name.trim(),
    description: draft.description.trim(),
    ...filledTexts(draft.texts),
    from: draft.from,
    until: draft.until,
    zone: draft.zone,
    kind: draft.kind,
  };
  if (draft.kind === 'sale') {
    return { ...shared, ...kept('tree', draft.tree), sale: saleFormOf(draft.sale) };
  }
  return {
    ...shared,
    ...kept('entries', draft.entries),
    chances: {
      total: draft.chances.total,
      ...kept('month', draft.chances.month),
      ...kept('day', draft.chances.day),
    },
    ...kept('tree', draft.tree),
    whole: draft.whole,
    mode: draft.mode,
    prizes: draft.prizes.map((prize) => prizeFormOf(prize, instant)),
    ...(instant ? drawRulesOf(draft) : raffleOf(draft)),
  };
}

function drawRulesOf(draft: Draft) {
  const { fallback, pity } = draft;
  const tiers = { by: draft.tiersBy, steps: draft.tiers };
  return {
    ...kept('game', draft.game),
    ten: draft.ten,
    ...(draft.tiers.length > 0 ? { tiers } : {}),
    ...kept('consolation', draft.consolation),
    ...(fallback
      ? {
          fallback: {
            prize: fallback.prize,
            amount_min: fallback.min,
            amount_max: fallback.max,
            budget_amount: fallback.budget,
          },
        }
      : {}),
    ...(pity ? { pity } : {}),
    budget: { ...kept('total_minor', draft.budgetTotal), ...kept('day_minor', draft.budgetDay) },
    ...kept('miss_slot', draft.missSlot),
  };
}

function raffleOf(draft: Draft) {
  return { ...kept('draw_at', draft.drawAt), ...kept('beacon', draft.beacon.trim() || null) };
}

function prizeFormOf(prize: PrizeDraft, instant: boolean) {
  const shared = {
    id: prize.id,
    name: prize.name.trim(),
    ...kept('name_en', prize.nameEn.trim() || null),
    kind: prize.kind,
    ...(COUNTED.has(prize.kind) ? kept('amount', prize.amount) : {}),
    details: prize.details.trim(),
    ...kept('details_en', prize.detailsEn.trim() || null),
    picture: prize.picture.trim(),
    grant: prize.grant,
    ...kept('claim_within', prize.claimWithin.trim() || null),
    ...(prize.kind === 'code' ? kept('pool', prize.pool) : {}),
  };
  if (!instant) return { ...shared, ...kept('units', prize.units) };
  const { unlock } = prize;
  return {
    ...shared,
    ...kept('slot', prize.slot),
    ...kept('odds', prize.odds),
    ...(prize.unlimited ? { unlimited: true } : kept('units', prize.units)),
    cost_minor: prize.costMinor,
    ...(unlock
      ? { unlock: { draws: unlock.draws, scope: unlock.scope, current_counts: unlock.currentCounts } }
      : {}),
    ...kept('win_cap', prize.winCap),
    ...(prize.release.length > 0 ? { release: prize.release } : {}),
    ...kept('hourly_cap', prize.hourlyCap),
    ...(prize.withdrawnFor.length > 0 ? { withdrawn_for: prize.withdrawnFor } : {}),
  };
}

function kept<K extends string, V>(name: K, value: V | null): { [key in K]?: V } {
  return value === null ? {} : ({ [name]: value } as { [key in K]?: V });
}

/** The same prize once more, behind it, under an id and on a place of its own; rules that name the first name it alone. */
export function withCopy(draft: Draft, id: number, name: string): Draft {
  const at = draft.prizes.findIndex((prize) => prize.id === id);
  const prize = draft.prizes[at];
  if (!prize) return draft;
  const copy = {
    ...structuredClone(prize),
    id: newPrize(draft.prizes).id,
    name,
    slot: null,
    odds: prize.odds === null ? null : 0,
    locked: false,
  };
  return { ...draft, prizes: draft.prizes.toSpliced(at + 1, 0, copy) };
}

/** A prize taken out, with everything that named it. */
export function withoutPrize(draft: Draft, id: number): Draft {
  return {
    ...draft,
    prizes: draft.prizes.filter((prize) => prize.id !== id),
    tiers: draft.tiers.map((tier) => ({ ...tier, odds: tier.odds.filter(({ prize }) => prize !== id) })),
    consolation: draft.consolation === id ? null : draft.consolation,
    fallback: draft.fallback?.prize === id ? null : draft.fallback,
    pity: draft.pity?.prize === id ? null : draft.pity,
  };
}

/** The steps of the wizard, and where a field of the form is in them. */
const DRAW_STEPS = ['basics', 'prizes', 'odds', 'rules', 'pacing', 'try'] as const;
const SALE_STEPS = ['basics', 'goods', 'selling', 'look'] as const;
export type Step = (typeof DRAW_STEPS | typeof SALE_STEPS)[number];

export function stepsOf(kind: Draft['kind']): readonly Step[] {
  return kind === 'sale' ? SALE_STEPS : DRAW_STEPS;
}

export function stepOf(field: string): Step {
  if (/^sale\.(price_minor|currency|units|per_user|hold_s|policy|gate)\b/.test(field)) return 'selling';
  if (/^sale\b/.test(field)) return 'goods';
  const inPrize = /^prizes\[\d+\]\.(\w+)/.exec(field)?.[1];
  if (inPrize === 'odds' || inPrize === 'slot' || /^(whole|mode|miss_slot|tiers)\b/.test(field))
    return 'odds';
  if (
    /^(unlock|win_cap|withdrawn_for)$/.test(inPrize ?? '') ||
    /^(consolation|fallback|pity)\b/.test(field)
  ) {
    return 'rules';
  }
  if (inPrize === 'release' || inPrize === 'hourly_cap' || /^budget\b/.test(field)) return 'pacing';
  return field.startsWith('prizes') ? 'prizes' : 'basics';
}
