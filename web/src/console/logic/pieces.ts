// A file of codes, cut into pieces that the server takes. Pure.

/** Below the server's four mebibytes. */
export const PIECE_BYTES_MAX = 1_000_000;

export interface Piece {
  text: string;
  /** Lines before it, to tell where in the file something is. */
  before: number;
}

/** Whole lines only. A sheet's heading goes with every piece. */
export function piecesOf(
  text: string,
  bytesMax = PIECE_BYTES_MAX,
): { csv: boolean; pieces: Piece[]; lines: number } {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  if (lines.at(-1) === '') lines.pop();
  const csv = /^"?code"?$/i.test(lines[0]?.trim() ?? '');
  const heading = csv ? `${lines[0]}\n` : '';
  const encoder = new TextEncoder();
  const pieces: Piece[] = [];
  let piece = '';
  let bytes = 0;
  let before = csv ? 1 : 0;
  let count = 0;
  const close = () => {
    if (count > 0) pieces.push({ text: heading + piece, before: csv ? before - 1 : before });
    before += count;
    piece = '';
    bytes = 0;
    count = 0;
  };
  for (const line of lines.slice(csv ? 1 : 0)) {
    const size = encoder.encode(line).length + 1;
    if (bytes + size > bytesMax) close();
    piece += `${line}\n`;
    bytes += size;
    count += 1;
  }
  close();
  return { csv, pieces, lines: lines.length - (csv ? 1 : 0) };
}
