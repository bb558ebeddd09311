import { expect, test } from 'vitest';
import { fetchRegions, placeOf, regionOf } from './regions';

test.each([
  [{ province: '上海市', city: '市辖区', district: '浦东新区' }, '上海市 浦东新区'],
  [{ province: '浙江省', city: '杭州市', district: '西湖区' }, '浙江省 杭州市 西湖区'],
  [{ province: '浙江省', city: '杭州市', district: '' }, ''],
  [{ province: '', city: '', district: '' }, ''],
])('%o is written as %s', (place, written) => {
  expect(regionOf(place)).toBe(written);
});

test('every district can be chosen, written and found again', async () => {
  const regions = await fetchRegions();
  expect(Object.keys(regions)).toHaveLength(34);
  for (const [province, cities] of Object.entries(regions)) {
    const [city = '', districts] = Object.entries(cities)[0] ?? [];
    const place = { province, city, district: districts?.at(-1) ?? '' };
    expect(placeOf(regions, regionOf(place)), province).toEqual(place);
  }
});

test('what was written by hand lies nowhere', async () => {
  const regions = await fetchRegions();
  for (const region of ['Shanghai', '', '上海', '浙江省 杭州市'])
    expect(placeOf(regions, region)).toBeUndefined();
});
