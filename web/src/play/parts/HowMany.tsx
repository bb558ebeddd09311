interface HowManyProps {
  /** Read out, not shown. */
  label: string;
  most: number;
  value: number;
  change(count: number): void;
}

/** How many of something, up to so many. */
export function HowMany({ label, most, value, change }: HowManyProps) {
  return (
    <label>
      <span className="unseen">{label}</span>
      <select value={value} onChange={(event) => change(Number(event.target.value))}>
        {Array.from({ length: Math.max(most, value) }, (_, before) => before + 1).map((count) => (
          <option key={count} value={count}>
            × {count}
          </option>
        ))}
      </select>
    </label>
  );
}
