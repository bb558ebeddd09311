import { expect, it } from 'vitest';
import { formatZone } from '.';

it.each([
  ['Asia/Shanghai', 'en', 'China Standard Time'],
  ['Asia/Shanghai', 'zh', '中国标准时间'],
  ['Europe/Berlin', 'en', 'Central European Time'],
  ['UTC', 'en', 'Coordinated Universal Time'],
  ['Nowhere/At all', 'en', 'Nowhere/At all'],
] as const)('the zone %s is called in %s as people call it', (zone, language, name) => {
  expect(formatZone(zone, language)).toBe(name);
});
