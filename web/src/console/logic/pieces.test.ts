import { describe, expect, it } from 'vitest';
import { piecesOf } from './pieces';

describe('a file of codes in pieces', () => {
  it.each([
    ['a list', 'a\nb\nc\n', 100, false, ['a\nb\nc\n'], [0]],
    ['a list that is cut', 'aa\nbb\ncc', 6, false, ['aa\nbb\n', 'cc\n'], [0, 2]],
    ['a sheet', '\uFEFFcode\r\naa\r\nbb\r\ncc\r\n', 6, true, ['code\naa\nbb\n', 'code\ncc\n'], [0, 2]],
    ['nothing', '', 10, false, [], []],
    ['a line longer than a piece', 'aaaaaaaa\nb', 4, false, ['aaaaaaaa\n', 'b\n'], [0, 1]],
  ])('%s', (_, text, max, csv, pieces, before) => {
    const cut = piecesOf(text, max);
    expect(cut.csv).toBe(csv);
    expect(cut.pieces.map((piece) => piece.text)).toEqual(pieces);
    expect(cut.pieces.map((piece) => piece.before)).toEqual(before);
  });
});
