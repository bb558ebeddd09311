// A field of the form, with whatever the server found wrong with it. Every flaw that has no field here is listed above.
import { Form, InputNumber } from 'antd';
import { cloneElement, createContext, type ReactElement, useContext, useId } from 'react';
import { withoutField } from '../../api/problem';

export interface Flaw {
  field: string;
  code: string;
  text: string;
}

const Flaws = createContext<readonly Flaw[]>([]);
export const FlawsOf = Flaws.Provider;

/** What is wrong at a field or below it. */
export function useFlaws(field: string): Flaw[] {
  return useContext(Flaws).filter(
    (flaw) =>
      flaw.field === field || flaw.field.startsWith(`${field}.`) || flaw.field.startsWith(`${field}[`),
  );
}

interface Props {
  field: string;
  label: string;
  help?: string | undefined;
  children: ReactElement<{ id?: string }>;
  className?: string;
}

export function At({ field, label, help, children, className }: Props) {
  const id = useId();
  const flaws = useFlaws(field);
  return (
    <Form.Item
      label={label}
      htmlFor={id}
      {...(className ? { className } : {})}
      {...(flaws.length > 0 ? { validateStatus: 'error', help: <Texts flaws={flaws} /> } : {})}
      {...(help ? { extra: help } : {})}
    >
      {cloneElement(children, { id })}
    </Form.Item>
  );
}

export function Texts({ flaws }: { flaws: Flaw[] }) {
  return (
    <span role="alert">
      {flaws.map((flaw) => (
        <span key={`${flaw.field} ${flaw.code}`} className="flaw">
          {withoutField(flaw.field, flaw.text)}{' '}
        </span>
      ))}
    </span>
  );
}

interface NumProps {
  id?: string;
  value: number | null;
  change: (value: number | null) => void;
  min?: number;
  label?: string;
  placeholder?: string | undefined;
}

/** A whole number, or nothing. */
export function Num({ id, value, change, min = 0, label, placeholder }: NumProps) {
  return (
    <InputNumber<number>
      className="wide"
      precision={0}
      min={min}
      max={Number.MAX_SAFE_INTEGER}
      value={value}
      onChange={change}
      {...(id ? { id } : {})}
      {...(label ? { 'aria-label': label } : {})}
      {...(placeholder ? { placeholder } : {})}
    />
  );
}

/** Money: kept in the smallest unit, typed in the unit. */
export function MoneyInput({ id, value, change, placeholder }: NumProps) {
  return (
    <InputNumber<number>
      className="wide"
      precision={2}
      min={0}
      max={9_000_000_000_000}
      value={value === null ? null : value / 100}
      onChange={(typed) => change(typed === null ? null : Math.round(typed * 100))}
      {...(id ? { id } : {})}
      {...(placeholder ? { placeholder } : {})}
    />
  );
}
