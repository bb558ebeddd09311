// Reading the published byte forms: big-endian numbers, short numbers (LEB128), lists, options. A form that is not
// exactly as docs/fairness.md says is refused.

/** What was given is not in its one valid form. */
export class Malformed extends Error {
  override readonly name = 'Malformed';
}

export class Reader {
  private at = 0;
  private readonly data: Uint8Array;

  constructor(data: Uint8Array) {
    this.data = data;
  }

  take(count: number): Uint8Array {
    if (this.at + count > this.data.length) throw new Malformed('the bytes end too early');
    this.at += count;
    return this.data.subarray(this.at - count, this.at);
  }

  /** An unsigned number of at most four bytes. */
  u(width: 1 | 2 | 4): number {
    return this.take(width).reduce((sum, byte) => sum * 256 + byte, 0);
  }

  u64(): bigint {
    return this.take(8).reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
  }

  i64(): bigint {
    return BigInt.asIntN(64, this.u64());
  }

  /** A player's number in the round, in eight bytes: 1 to 2^32 − 1. */
  player(): number {
    const value = this.u64();
    if (value < 1n || value > 0xffff_ffffn) throw new Malformed('no player’s number');
    return Number(value);
  }

  text(): string {
    return new TextDecoder('utf-8', { fatal: true }).decode(this.take(this.u(2)));
  }

  short(): bigint {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = this.u(1);
      value |= BigInt(byte & 127) << shift;
      if (byte < 128) {
        if (byte === 0 && shift > 0n) throw new Malformed('a number has needless bytes');
        return value;
      }
    }
    throw new Malformed('a number is too long');
  }

  /** A short number that is small: a count, a prize, a slot. */
  small(): number {
    const value = this.short();
    if (value > 0xffff_ffffn) throw new Malformed('a number is too large');
    return Number(value);
  }

  list<T>(one: () => T): T[] {
    return Array.from({ length: this.u(2) }, one);
  }

  option<T>(one: () => T): T | undefined {
    const there = this.u(1);
    if (there > 1) throw new Malformed('an option is neither there nor not');
    return there === 1 ? one() : undefined;
  }

  tag(expected: string): void {
    const found = this.take(expected.length);
    if (!same(found, ascii(expected)))
      throw new Malformed(`it does not begin with ${JSON.stringify(expected)}`);
  }

  end(): void {
    if (this.at !== this.data.length) throw new Malformed('there are bytes after the end');
  }
}

export function ascii(text: string): Uint8Array {
  return Uint8Array.from(text, (char) => char.charCodeAt(0));
}

/** A number in so many bytes, big-endian; a negative one as two's complement. */
export function be(value: bigint | number, width: number): Uint8Array {
  const out = new Uint8Array(width);
  let rest = BigInt.asUintN(width * 8, BigInt(value));
  for (let place = width - 1; place >= 0; place -= 1) {
    out[place] = Number(rest & 255n);
    rest >>= 8n;
  }
  return out;
}

export function concat(...parts: Uint8Array[]): Uint8Array<ArrayBuffer> {
  const out = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}

export function same(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, place) => byte === b[place]);
}

export function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Bytes from lower-case digits, and from nothing else. */
export function fromHex(text: string): Uint8Array<ArrayBuffer> {
  if (!/^(?:[0-9a-f]{2})*$/.test(text)) throw new Malformed('not lower-case hexadecimal digits');
  const out = new Uint8Array(text.length / 2);
  for (let place = 0; place < out.length; place += 1)
    out[place] = Number.parseInt(text.slice(place * 2, place * 2 + 2), 16);
  return out;
}
