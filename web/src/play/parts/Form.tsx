// Fields with their labels, and a form that says what went wrong beside the field that is to blame.
import { type FormEvent, type InputHTMLAttributes, type ReactNode, useId } from 'react';
import { Problem } from '../../api/problem';
import { useText } from '../../i18n';
import { Refused } from './states';

interface FieldProps extends InputHTMLAttributes<HTMLInputElement> {
  label: string;
  name: string;
  hint?: string;
  error?: unknown;
  /** Something beside the input: a button to send a code. */
  beside?: ReactNode;
}

export function Field({ label, hint, error, beside, ...input }: FieldProps) {
  const id = useId();
  const wrong = error instanceof Problem && error.field === input.name ? error.message : undefined;
  const described = [hint && `${id}-hint`, wrong && `${id}-wrong`].filter(Boolean).join(' ');
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <div className="field-row">
        <input
          id={id}
          aria-invalid={wrong ? true : undefined}
          aria-describedby={described || undefined}
          {...input}
        />
        {beside}
      </div>
      {hint && (
        <p className="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {wrong && (
        <p className="wrong" id={`${id}-wrong`}>
          {wrong}
        </p>
      )}
    </div>
  );
}

interface FormProps {
  onSubmit(values: Record<string, string>): void;
  submit: string;
  busy: boolean;
  error: unknown;
  children: ReactNode;
  danger?: boolean;
}

export function Form({ onSubmit, submit, busy, error, children, danger = false }: FormProps) {
  const { t } = useText();
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (busy) return;
    const values: Record<string, string> = {};
    for (const [name, value] of new FormData(event.currentTarget))
      if (typeof value === 'string') values[name] = value;
    onSubmit(values);
  };
  return (
    <form className="form" onSubmit={send} noValidate>
      {children}
      <Refused error={error} />
      <button type="submit" className={danger ? 'button wide danger' : 'button wide primary'} disabled={busy}>
        {busy ? t('wait') : submit}
      </button>
    </form>
  );
}
