// A file of codes as it is: which column has the codes, whether the first line is a heading, and what would be sent. Pure.

/** Lines from which columns are guessed. */
const LOOKED_AT = 200;
const DELIMITERS = ['\t', ',', ';'] as const;
/** What people write above a column of codes; the server refuses the same as the first line of a list. */
const HEADINGS = new Set([
  'code',
  'codes',
  'coupon',
  'coupons',
  'coupon code',
  'coupon_code',
  'redeem code',
  'redeem_code',
  'voucher',
  'voucher code',
  'voucher_code',
  'promo code',
  'promo_code',
  'gift code',
  'serial',
  'serial number',
  '兑换码',
  '券码',
  '卡密',
  '序列号',
]);

export interface Sheet {
  /** Cells by line; one cell where there is one column. */
  rows: string[][];
  columns: number;
  /** Whether the first line is a heading, as far as one can tell. */
  header: boolean;
  /** The column that the codes are in, in all likelihood. */
  chosen: number;
}

/** A code with its line in the file, from 1. */
export interface CodeCell {
  line: number;
  code: string;
}

export function readSheet(text: string): Sheet {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  while (lines.length > 0 && lines.at(-1)?.trim() === '') lines.pop();
  const delimiter = delimiterOf(lines);
  const rows = lines.map((line) => (delimiter ? cellsOf(line, delimiter) : [unquote(line)]));
  const columns = Math.max(1, rows[0]?.length ?? 1);
  const named = rows[0]?.findIndex((cell) => HEADINGS.has(cell.trim().toLowerCase())) ?? -1;
  const chosen = named >= 0 ? named : mostDifferent(rows, columns);
  return { rows, columns, chosen, header: named >= 0 || (columns > 1 && looksLikeNames(rows, chosen)) };
}

/** The codes of a column, each once, and how many stood twice. Empty lines are kept: the server says they are none. */
export function codesOf(
  sheet: Sheet,
  column: number,
  header: boolean,
): { codes: CodeCell[]; repeated: number } {
  const seen = new Set<string>();
  const codes: CodeCell[] = [];
  let repeated = 0;
  sheet.rows.forEach((row, at) => {
    if (header && at === 0) return;
    const code = (row[column] ?? '').trim();
    if (code !== '' && seen.has(code)) {
      repeated += 1;
      return;
    }
    seen.add(code);
    codes.push({ line: at + 1, code });
  });
  return { codes, repeated };
}

/** What is sent: a sheet with the one column that the server knows. */
export function sheetText(codes: readonly CodeCell[]): string {
  return `code\n${codes.map(({ code }) => `"${code.replaceAll('"', '""')}"`).join('\n')}\n`;
}

/** The one that cuts nearly every line into as many cells. */
function delimiterOf(lines: readonly string[]): string | undefined {
  const looked = lines.slice(0, LOOKED_AT).filter((line) => line.trim() !== '');
  return DELIMITERS.find((delimiter) => {
    const cells = looked.map((line) => cellsOf(line, delimiter).length);
    const wide = cells[0] ?? 1;
    return wide > 1 && cells.filter((count) => count === wide).length >= 0.9 * cells.length;
  });
}

function cellsOf(line: string, delimiter: string): string[] {
  const cells: string[] = [];
  let cell = '';
  let quoted = false;
  for (let at = 0; at < line.length; at += 1) {
    const letter = line[at];
    if (quoted && letter === '"' && line[at + 1] === '"') {
      cell += '"';
      at += 1;
    } else if (letter === '"') quoted = !quoted;
    else if (letter === delimiter && !quoted) {
      cells.push(cell);
      cell = '';
    } else cell += letter;
  }
  cells.push(cell);
  return cells;
}

function unquote(line: string): string {
  const text = line.trim();
  const inner = /^"(.*)"$/.exec(text)?.[1];
  return inner === undefined ? line : inner.replaceAll('""', '"');
}

function mostDifferent(rows: readonly string[][], columns: number): number {
  const looked = rows.slice(0, LOOKED_AT);
  const different = Array.from(
    { length: columns },
    (_, column) => new Set(looked.map((row) => row[column] ?? '')).size,
  );
  return different.indexOf(Math.max(...different));
}

/** A first line of words above lines with digits. */
function looksLikeNames(rows: readonly string[][], column: number): boolean {
  const [first, ...rest] = rows.slice(0, LOOKED_AT).map((row) => row[column] ?? '');
  return first !== undefined && rest.length > 0 && !/\d/.test(first) && rest.every((cell) => /\d/.test(cell));
}
