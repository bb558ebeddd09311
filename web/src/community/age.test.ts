import { expect, it } from 'vitest';
import { ageText } from './age';

const NOW = new Date(2026, 10, 18, 12, 0, 0).getTime();
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

it.each([
  [-5 * MINUTE, 'just now', '刚刚'],
  [0, 'just now', '刚刚'],
  [MINUTE - 1, 'just now', '刚刚'],
  [MINUTE, '1 min. ago', '1分钟前'],
  [59 * MINUTE, '59 min. ago', '59分钟前'],
  [60 * MINUTE, '1 hr. ago', '1小时前'],
  [DAY - 1, '23 hr. ago', '23小时前'],
  [DAY, 'yesterday', '昨天'],
  [3 * DAY, '3 days ago', '3天前'],
  [7 * DAY, 'Nov 11', '11月11日'],
  [400 * DAY, 'Oct 14, 2025', '2025年10月14日'],
])('%d ms ago is “%s” and “%s”', (ago, english, chinese) => {
  expect(ageText(NOW - ago, NOW, 'en')).toBe(english);
  expect(ageText(NOW - ago, NOW, 'zh')).toBe(chinese);
});
