// What a sale sells, while it is written: the API's form with every field there, and back. Pure.
import type { ItemForm, SaleForm, SalePolicy } from '../../api/wire';

export const PICTURES_MAX = 8;

export interface SaleDraft {
  item: ItemForm;
  /** Where codes come from. */
  pool: string | null;
  /** Empty: the activity's own name. */
  name: string;
  /** For readers of English; empty where it is the same. */
  nameEn: string;
  details: string;
  detailsEn: string;
  /** Ids of uploaded pictures, addresses, or an emoji. */
  pictures: string[];
  priceMinor: number;
  /** What it costs otherwise, struck through; null where nothing is. */
  listPriceMinor: number | null;
  currency: string;
  units: number;
  /** Null is no limit. */
  perUser: number | null;
  holdS: number;
  policy: SalePolicy;
  captcha: boolean;
  /** People let in per second; null is no waiting room. */
  roomPerSecond: number | null;
}

const HOLD_S = 900;

export function newSale(): SaleDraft {
  return {
    item: 'parcel',
    pool: null,
    name: '',
    nameEn: '',
    details: '',
    detailsEn: '',
    pictures: [],
    priceMinor: 0,
    listPriceMinor: null,
    currency: 'CNY',
    units: 100,
    perUser: 1,
    holdS: HOLD_S,
    policy: 'at_order',
    captcha: false,
    roomPerSecond: null,
  };
}

export function saleDraftOf(form: SaleForm | null | undefined, activity: string): SaleDraft {
  if (!form) return newSale();
  return {
    item: form.item ?? 'parcel',
    pool: form.pool ?? null,
    name: form.name == null || form.name === activity ? '' : form.name,
    nameEn: form.name_en ?? '',
    details: form.details ?? '',
    detailsEn: form.details_en ?? '',
    pictures: [...(form.pictures ?? [])],
    priceMinor: form.price_minor,
    listPriceMinor: form.list_price_minor ?? null,
    currency: form.currency,
    units: form.units,
    perUser: form.per_user === 0 ? null : (form.per_user ?? 1),
    holdS: form.hold_s ?? HOLD_S,
    policy: form.policy ?? 'at_order',
    captcha: form.gate?.captcha ?? false,
    roomPerSecond: form.gate?.room?.per_second ?? null,
  };
}

export function saleFormOf(draft: SaleDraft): SaleForm {
  const name = draft.name.trim();
  const [nameEn, detailsEn] = [draft.nameEn.trim(), draft.detailsEn.trim()];
  return {
    item: draft.item,
    ...(draft.item === 'code' && draft.pool !== null ? { pool: draft.pool } : {}),
    ...(name ? { name } : {}),
    ...(nameEn ? { name_en: nameEn } : {}),
    details: draft.details.trim(),
    ...(detailsEn ? { details_en: detailsEn } : {}),
    pictures: draft.pictures.map((picture) => picture.trim()).filter((picture) => picture !== ''),
    price_minor: draft.priceMinor,
    ...(draft.listPriceMinor === null ? {} : { list_price_minor: draft.listPriceMinor }),
    currency: draft.currency.trim().toUpperCase(),
    units: draft.units,
    per_user: draft.perUser ?? 0,
    hold_s: draft.holdS,
    policy: draft.policy,
    gate: {
      captcha: draft.captcha,
      ...(draft.roomPerSecond === null ? {} : { room: { per_second: draft.roomPerSecond } }),
    },
  };
}

/** Where a picture is seen: uploaded ones are named by their number. */
export function pictureAddress(picture: string): string | undefined {
  if (/^\d+$/.test(picture)) return `/api/v1/pictures/${picture}?width=320`;
  return /^(https:|\/)/.test(picture) ? picture : undefined;
}
