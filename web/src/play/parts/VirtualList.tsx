// A long list, of which only the rows in sight and some around them are in the page. Short lists are there as a whole.
//
// The window scrolls, and rows are as high as each other, or nearly: the rest is space above and below. A library for it
// would be made for rows of any height in boxes that scroll; this is all that our lists need.
import { type CSSProperties, type ReactNode, useLayoutEffect, useRef, useState } from 'react';

/** Shorter lists are never cut. */
const WHOLE_MAX = 80;
/** Rows above and below those in sight. */
const AROUND = 15;

interface Sight {
  count: number;
  rowPx: number;
  /** From the top of what is in sight down to the top of the list; negative once it is scrolled into. */
  topPx: number;
  sightPx: number;
}

/** Which rows are in the page: the first, and the one after the last. */
export function rowsInSight({ count, rowPx, topPx, sightPx }: Sight): [from: number, to: number] {
  if (count <= WHOLE_MAX || rowPx <= 0) return [0, count];
  const first = Math.floor(-topPx / rowPx);
  const last = Math.ceil((sightPx - topPx) / rowPx);
  const from = Math.min(Math.max(0, first - AROUND), Math.max(0, count - 2 * AROUND));
  return [from, Math.max(Math.min(count, last + AROUND), Math.min(count, from + 2 * AROUND))];
}

interface Props<Row> {
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  /** Until a row was measured. */
  rowPx: number;
  className?: string;
  children: (row: Row) => ReactNode;
}

export function VirtualList<Row>({ rows, keyOf, rowPx: guess, className, children }: Props<Row>) {
  const list = useRef<HTMLUListElement>(null);
  const [rowPx, setRowPx] = useState(guess);
  const [[from, to], setSight] = useState<[number, number]>([0, Math.min(rows.length, WHOLE_MAX)]);
  const count = rows.length;
  useLayoutEffect(() => {
    const look = () => {
      const frame = list.current;
      if (!frame) return;
      const shown = frame.children.length;
      const space = parseFloat(frame.style.paddingTop || '0') + parseFloat(frame.style.paddingBottom || '0');
      const { top, height } = frame.getBoundingClientRect();
      const measured = shown > 0 && height > space ? (height - space) / shown : guess;
      setRowPx(measured);
      const next = rowsInSight({ count, rowPx: measured, topPx: top, sightPx: window.innerHeight });
      setSight((old) => (old[0] === next[0] && old[1] === next[1] ? old : next));
    };
    look();
    window.addEventListener('scroll', look, { passive: true });
    window.addEventListener('resize', look);
    return () => {
      window.removeEventListener('scroll', look);
      window.removeEventListener('resize', look);
    };
  }, [count, guess]);
  const last = Math.min(to, count);
  const space: CSSProperties = { paddingTop: from * rowPx, paddingBottom: (count - last) * rowPx };
  return (
    <ul ref={list} className={className} style={count > WHOLE_MAX ? space : undefined}>
      {rows.slice(from, last).map((row, at) => (
        <li key={keyOf(row)} aria-setsize={count} aria-posinset={from + at + 1}>
          {children(row)}
        </li>
      ))}
    </ul>
  );
}
