// Tables as CSV. Pure.

/** Spreadsheets run what begins so. */
const FORMULA = /^[=+\-@\t\r]/;

export function csvCell(text: string): string {
  const safe = FORMULA.test(text) && !/^-?\d+(\.\d+)?$/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

export function csvText(rows: readonly (readonly string[])[]): string {
  return rows.map((row) => `${row.map(csvCell).join(',')}\r\n`).join('');
}

interface CsvPage<Row> {
  items: Row[];
  next?: string | null;
}

/**
 * All rows of a listing, page by page, up to a bound; `cut` where there are more. `progress` hears how many there are so
 * far. A page without a row, or a cursor that does not move, ends it: nobody waits for ever.
 */
export async function allRows<Row>(
  page: (after: string | undefined) => Promise<CsvPage<Row>>,
  max: number,
  progress: (rows: number) => void,
): Promise<{ rows: Row[]; cut: boolean }> {
  const rows: Row[] = [];
  let after: string | undefined;
  for (;;) {
    const { items, next } = await page(after);
    for (const row of items) rows.push(row);
    progress(Math.min(rows.length, max));
    if (rows.length > max || (rows.length === max && next)) return { rows: rows.slice(0, max), cut: true };
    if (!next || next === after || items.length === 0) return { rows, cut: false };
    after = next;
  }
}

/** Hands a text to the reader as a file. The mark in front tells spreadsheets that it is UTF-8. */
export function download(name: string, text: string): void {
  save(name, `\uFEFF${text}`, 'text/csv');
}

/** Hands a text to the reader as a file, as it is. */
export function save(name: string, text: string, type: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}
