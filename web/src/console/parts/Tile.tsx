import type { ReactNode } from 'react';

/** A figure with its name. */
export function Tile({
  label,
  value,
  note,
  bad,
}: {
  label: string;
  value: ReactNode;
  note?: ReactNode;
  bad?: boolean;
}) {
  return (
    <div className={bad ? 'tile bad' : 'tile'}>
      <dt>{label}</dt>
      <dd>
        {value} {note && <small>{note}</small>}
      </dd>
    </div>
  );
}
