import { expect, it } from 'vitest';
import { type Language, wordsOf } from '../i18n';
import { chancesLine } from './chances';
import en from './words/more.en';
import zh from './words/more.zh';

it('the chances that are left add up in one line', () => {
  const words = { en, zh };
  const rows: Array<
    [left: number, granted: number, bound: 'day' | 'month' | 'total', en: string, zh: string]
  > = [
    [30, 0, 'day', '30 chances left today', '今天还能抽 30 次'],
    [1, 0, 'month', '1 chance left this month', '本月还能抽 1 次'],
    [5, 0, 'total', '5 chances left', '还能抽 5 次'],
    [31, 1, 'day', '31 chances left: 30 today + 1 bonus', '还能抽 31 次：今天 30 次 + 赠送 1 次'],
    [8, 3, 'total', '8 chances left: 5 of your own + 3 bonus', '还能抽 8 次：自有 5 次 + 赠送 3 次'],
    [2, 2, 'day', '2 bonus chances left', '还能抽 2 次（赠送）'],
    [0, 0, 'day', 'No chances left today. Come back tomorrow.', '今天的次数已用完，明天再来。'],
  ];
  for (const [left, granted, bound_by, english, chinese] of rows) {
    const line = (language: Language) =>
      chancesLine({ left, granted, bound_by }, (key, values) =>
        wordsOf(words[language], language, key, values),
      );
    expect(line('en')).toBe(english);
    expect(line('zh')).toBe(chinese);
  }
});
