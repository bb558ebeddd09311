// A field of the form, with whatever the server found wrong with it. Every flaw that has no field here is listed above.
import { Form, InputNumber } from 'antd';
import { cloneElement, createContext, type ReactElement, useContext, useId } from 'react';
import { withoutField } from '../../api/problem';
import { moneyDigits } from '../../i18n/money';
import { siteCurrency } from '../../time/clock';

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

interface MoneyProps extends NumProps {
  /** The site's own unless told. */
  currency?: string;
}

/** The largest amount that the server takes, in the smallest unit. */
const MINOR_MAX = 1_000_000_000_000;

/** Money: kept in the smallest unit of its currency, typed in the unit, with as many digits as that currency has. */
export function MoneyInput({ id, value, change, placeholder, currency }: MoneyProps) {
  const digits = moneyDigits(currency ?? siteCurrency());
  const unit = 10 ** digits;
  return (
    <InputNumber<number>
      className="wide"
      precision={digits}
      min={0}
      max={MINOR_MAX / unit}
      value={value === null ? null : value / unit}
      onChange={(typed) => change(typed === null ? null : Math.round(typed * unit))}
      {...(id ? { id } : {})}
      {...(placeholder ? { placeholder } : {})}
    />
  );
}
