// The odds editor's arithmetic. Whole numbers only: the slices and what they leave over ("no prize") are the whole,
// exactly and after every step. Pure.

export interface Slice {
  odds: number;
  /** A locked slice keeps its size when others are scaled. */
  locked: boolean;
}

/** What the slices take up. */
export function taken(slices: readonly Slice[]): number {
  return slices.reduce((sum, { odds }) => sum + odds, 0);
}

/** What is left for "no prize". */
export function left(slices: readonly Slice[], whole: number): number {
  return whole - taken(slices);
}

/** One slice set to `wanted`, or as near as the others leave room for. */
export function setSlice<T extends Slice>(
  slices: readonly T[],
  whole: number,
  at: number,
  wanted: number,
): T[] {
  const others = taken(slices.filter((_, index) => index !== at));
  const odds = clamp(Math.round(wanted), 0, Math.max(0, whole - others));
  return slices.map((slice, index) => (index === at ? { ...slice, odds } : slice));
}

/** The slices that are not locked, scaled so that "no prize" becomes `wanted`, or as near as the locked ones allow. */
export function setLeft<T extends Slice>(slices: readonly T[], whole: number, wanted: number): T[] {
  const fixed = taken(slices.filter(({ locked }) => locked));
  const free = slices.filter(({ locked }) => !locked);
  if (free.length === 0) return [...slices];
  const room = clamp(whole - Math.round(wanted) - fixed, 0, Math.max(0, whole - fixed));
  const shares = apportion(
    room,
    free.map(({ odds }) => odds),
  );
  let next = 0;
  return slices.map((slice) => (slice.locked ? slice : { ...slice, odds: shares[next++] ?? 0 }));
}

/** The same shares of another whole. Rounding never takes more than there is, and nothing that was there vanishes
 *  while there is room for it. */
export function rescale<T extends Slice>(slices: readonly T[], from: number, to: number): T[] {
  const shares = apportion(to, [...slices.map(({ odds }) => odds), Math.max(0, left(slices, from))]);
  return slices.map((slice, at) => ({ ...slice, odds: shares[at] ?? 0 }));
}

/**
 * `total` split by `weights` into whole numbers that add up to it: each gets its share rounded down, and what is left
 * over goes to the largest fractions. Equal weights of nothing share equally.
 */
export function apportion(total: number, weights: readonly number[]): number[] {
  if (weights.length === 0) return [];
  const sum = weights.reduce((all, weight) => all + weight, 0);
  const used = sum === 0 ? weights.map(() => 1) : weights;
  const all = BigInt(sum === 0 ? weights.length : sum);
  const exact = used.map((weight) => BigInt(total) * BigInt(weight));
  const shares = exact.map((share) => Number(share / all));
  const order = exact
    .map((share, at) => ({ at, rest: share % all }))
    .sort((a, b) => (a.rest === b.rest ? a.at - b.at : a.rest > b.rest ? -1 : 1));
  let over = total - shares.reduce((sumOf, share) => sumOf + share, 0);
  for (const { at } of order) {
    if (over === 0) break;
    shares[at] = (shares[at] ?? 0) + 1;
    over -= 1;
  }
  return shares;
}

/** `odds` of `whole` in percent, exact as far as eight places go: "0.002". */
export function percent(odds: number, whole: number): string {
  const scaled = (BigInt(odds) * 10_000_000_000n + BigInt(whole) / 2n) / BigInt(whole);
  const digits = scaled.toString().padStart(9, '0');
  const decimals = digits.slice(-8).replace(/0+$/, '');
  return `${digits.slice(0, -8)}${decimals ? `.${decimals}` : ''}`;
}

/** What somebody typed, in parts: "250" is parts, "2.5%" and "1/40" are shares of the whole. */
export function parseOdds(text: string, whole: number): number | undefined {
  const plain = text.replaceAll(/[\s,_]/g, '');
  const share = /^(\d+(?:\.\d+)?)[%％]$/.exec(plain);
  if (share) return Math.round((Number(share[1]) * whole) / 100);
  const ratio = /^(\d+)\/(\d+)$/.exec(plain);
  if (ratio && Number(ratio[2]) > 0) return Math.round((Number(ratio[1]) * whole) / Number(ratio[2]));
  return /^\d+$/.test(plain) ? Number(plain) : undefined;
}

const clamp = (value: number, min: number, max: number) => Math.min(max, Math.max(min, value));
