// Hashes and the numbers of draws, with the browser's own cryptography (WebCrypto).
import { be, concat } from './bytes';
import type { TicketRecord } from './record';

/** Tags of the numbers: the roll of a draw, and the points of a fallback. */
export const ROLL = 1;
export const POINTS = 2;

const WORD_SPAN = 1n << 64n;

/** Browsers give their cryptography to pages that came over TLS (or from this machine) only. */
export function canVerify(): boolean {
  return typeof crypto !== 'undefined' && crypto.subtle !== undefined;
}

export async function sha256(data: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', data));
}

/** A secret, ready to make numbers from. */
export async function keyOf(secret: Uint8Array<ArrayBuffer>): Promise<CryptoKey> {
  return crypto.subtle.importKey('raw', secret, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
}

export async function hmac(key: CryptoKey, message: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.sign('HMAC', key, message));
}

/** The 47 bytes that a value is made from. */
export function message(
  tag: number,
  record: TicketRecord,
  n: number,
  counter: number,
): Uint8Array<ArrayBuffer> {
  return concat(
    be(tag, 1),
    be(record.activity, 8),
    be(record.round, 4),
    be(record.version, 4),
    be(record.player, 8),
    be(n, 4),
    be(counter, 2),
    record.clientValue,
  );
}

/** A number below `bound`, and how it came about. */
export interface Drawn {
  number: bigint;
  message: Uint8Array;
  value: Uint8Array;
  word: bigint;
}

/** The first word that is not in the uneven rest of the range, modulo the bound: every number is equally likely. */
export function firstFit(
  words: readonly bigint[],
  bound: bigint,
): { word: bigint; number: bigint } | undefined {
  const limit = WORD_SPAN - (WORD_SPAN % bound);
  const word = words.find((one) => one < limit);
  return word === undefined ? undefined : { word, number: word % bound };
}

export function wordsOf(value: Uint8Array): bigint[] {
  const view = new DataView(value.buffer, value.byteOffset, value.byteLength);
  return Array.from({ length: value.byteLength >> 3 }, (_, place) => view.getBigUint64(place * 8));
}

export async function below(
  key: CryptoKey,
  tag: number,
  record: TicketRecord,
  n: number,
  bound: bigint,
): Promise<Drawn> {
  for (let counter = 0; counter <= 0xffff; counter += 1) {
    const asked = message(tag, record, n, counter);
    const value = await hmac(key, asked);
    const words = wordsOf(value);
    const fit = firstFit(words, bound);
    if (fit) return { ...fit, message: asked, value };
    const last = words.at(-1);
    if (counter === 0xffff && last !== undefined)
      return { word: last, number: last % bound, message: asked, value };
  }
  throw new Error('unreachable');
}
