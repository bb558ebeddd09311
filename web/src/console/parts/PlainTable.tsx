import type { ReactNode } from 'react';
import { Scroll } from './Scroll';

/** A column's head; figures stand on the right. */
type Head = string | { right: string };

/** A small table of rows, which scrolls by itself where it is too wide. */
export function PlainTable({ heads, children }: { heads: readonly Head[]; children: ReactNode }) {
  return (
    <Scroll className="panel scroll">
      <table className="plain-table">
        <thead>
          <tr>
            {heads.map((head) =>
              typeof head === 'string' ? (
                <th key={head}>{head}</th>
              ) : (
                <th key={head.right} className="right">
                  {head.right}
                </th>
              ),
            )}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </Scroll>
  );
}
