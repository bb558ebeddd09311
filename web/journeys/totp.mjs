// Six digits as an authenticator app computes them (RFC 6238), from the key as it is typed in.
import { createHmac } from 'node:crypto';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const STEP_MS = 30_000;

export function totp(key, now_ms) {
  let bits = '';
  for (const letter of key.replaceAll(' ', '')) bits += ALPHABET.indexOf(letter).toString(2).padStart(5, '0');
  const secret = Buffer.from(bits.match(/.{8}/g).map((byte) => Number.parseInt(byte, 2)));
  const step = Buffer.alloc(8);
  step.writeBigInt64BE(BigInt(Math.floor(now_ms / STEP_MS)));
  const tag = createHmac('sha1', secret).update(step).digest();
  const number = tag.readUInt32BE(tag[19] & 15) & 0x7fffffff;
  return String(number % 1_000_000).padStart(6, '0');
}

/** Digits that are not these. */
export const otherThan = (digits) => String((Number(digits) + 1) % 1_000_000).padStart(6, '0');
