import { describe, expect, it } from 'vitest';
import { codesOf, readSheet, sheetText } from './sheet';

const told = (text: string) => {
  const { columns, header, chosen } = readSheet(text);
  return [columns, header, chosen];
};

describe('a file of codes', () => {
  it.each([
    ['a list', 'TEA-1\nTEA-2\n', [1, false, 0]],
    ['a heading', 'code\nTEA-1\n', [1, true, 0]],
    ['a Chinese heading', '\uFEFF兑换码\r\nTEA-1\r\n', [1, true, 0]],
    ['a heading in quotes', '"Coupon Code"\n"TEA-1"\n', [1, true, 0]],
    ['several columns with a heading', 'batch,code,until\n1,TEA-1,2027\n1,TEA-2,2027\n', [3, true, 1]],
    ['several columns with other words above', 'batch;key\nA1;TEA-1\nA1;TEA-2\n', [2, true, 1]],
    ['several columns without a heading', '1\tTEA-1\n1\tTEA-2\n', [2, false, 1]],
    ['codes with a comma now and then', 'TEA-1\nTEA,2\nTEA-3\n', [1, false, 0]],
    ['nothing', '', [1, false, 0]],
  ])('%s', (_, text, expected) => expect(told(text)).toEqual(expected));

  it('gives each code once, with its line', () => {
    const sheet = readSheet('code\nA\nB\nA\n\nC\n');
    expect(codesOf(sheet, 0, true)).toEqual({
      codes: [
        { line: 2, code: 'A' },
        { line: 3, code: 'B' },
        { line: 5, code: '' },
        { line: 6, code: 'C' },
      ],
      repeated: 1,
    });
    expect(codesOf(sheet, 0, false).codes[0]).toEqual({ line: 1, code: 'code' });
  });

  it('is sent as one column', () => {
    const sheet = readSheet('n,code\n1,"say ""x"""\n2,"a,b"\n');
    expect(sheetText(codesOf(sheet, sheet.chosen, sheet.header).codes)).toBe('code\n"say ""x"""\n"a,b"\n');
  });
});
