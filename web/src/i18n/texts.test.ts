import { expect, test } from 'vitest';
import { inLanguage, ofBoth } from './texts';

const wheel = { name: '转盘', name_en: 'Wheel', prizes: [{ name: '茶', name_en: 'Tea', id: 1 }], odds: null };

test('a reader of English sees the English text, everybody else the first one', () => {
  const english = inLanguage(wheel, 'en');
  expect([english.name, english.prizes[0]?.name]).toEqual(['Wheel', 'Tea']);
  const chinese = inLanguage(wheel, 'zh');
  expect([chinese.name, chinese.prizes[0]?.name]).toEqual(['转盘', '茶']);
});

test('switching there and back needs no new answer', () => {
  const english = inLanguage(wheel, 'en');
  expect(inLanguage(english, 'zh').name).toBe('转盘');
  expect(inLanguage(inLanguage(english, 'zh'), 'en').prizes[0]?.name).toBe('Tea');
});

test('what has one language is left as it is, and not copied', () => {
  const plain = { name: 'Wheel', prizes: [{ name: 'Tea' }], text: null };
  expect(inLanguage(plain, 'en')).toBe(plain);
  const none = { name: '转盘', name_en: '' };
  expect(inLanguage(none, 'en').name).toBe('转盘');
});

test('a text that is there in English only is shown to everybody', () => {
  expect(inLanguage({ details: '', details_en: 'Clay' }, 'zh').details).toBe('Clay');
  expect(inLanguage({ details_en: 'Clay' } as { details?: string; details_en: string }, 'zh').details).toBe(
    'Clay',
  );
  expect(ofBoth({ text: '', en: 'Us' }, 'zh')).toBe('Us');
  expect(ofBoth({ text: '我们', en: '' }, 'en')).toBe('我们');
  expect(ofBoth({ text: '我们', en: 'Us' }, 'en')).toBe('Us');
});
