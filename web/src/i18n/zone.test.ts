import { expect, it } from 'vitest';
import { formatZone } from '.';

it.each([
  ['Asia/Shanghai', 'en', /^China( Standard)? Time$/],
  ['Asia/Shanghai', 'zh', /^中国(标准)?时间$/],
  ['Europe/Berlin', 'en', /^Central European( Standard)? Time$/],
  ['UTC', 'en', /^(Coordinated Universal Time|UTC)$/],
  ['Nowhere/At all', 'en', /^Nowhere\/At all$/],
  // Which words exactly is up to the browser's own data.
] as const)('the zone %s is called in %s as people call it', (zone, language, name) => {
  expect(formatZone(zone, language)).toMatch(name);
});
