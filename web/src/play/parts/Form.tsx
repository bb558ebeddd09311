// Fields with their labels, and a form that says what went wrong beside the field that is to blame.
import {
  createContext,
  type FormEvent,
  type InputHTMLAttributes,
  type ReactNode,
  useContext,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { Problem } from '../../api/problem';
import { useText } from '../text';
import { Refused } from './states';

/** The fields that were left empty, by name. */
const Missing = createContext<readonly string[]>([]);

/** Whether a refusal is about a field: by its whole name, or by its last part where it stands inside of something. */
const isAbout = (field: string | undefined, name: string): boolean =>
  field !== undefined && (name === field || name.endsWith(`.${field}`));

/** What is wrong with a field, in words: left empty, or refused by the server. */
export function useFieldProblem(name: string, error: unknown): string | undefined {
  const { t } = useText();
  const missing = useContext(Missing).includes(name);
  const refused = error instanceof Problem && isAbout(error.field, name) ? error.plain : undefined;
  return missing ? t('field.needed') : refused;
}

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
  const wrong = useFieldProblem(input.name, error);
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
        <p className="wrong" id={`${id}-wrong`} role="alert">
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
  const ref = useRef<HTMLFormElement>(null);
  const [missing, setMissing] = useState<readonly string[]>([]);
  // What is told beside a field is not told a second time below all of them.
  const [beside, setBeside] = useState(false);
  useLayoutEffect(() => {
    const named = error instanceof Problem ? error.field : undefined;
    const field = inputsOf(ref.current).find(({ name }) => isAbout(named, name));
    setBeside(field !== undefined);
    field?.focus();
  }, [error]);
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (busy) return;
    const empty = inputsOf(event.currentTarget).filter(({ required, value }) => required && !value.trim());
    setMissing(empty.map(({ name }) => name));
    empty[0]?.focus();
    if (empty.length > 0) return;
    const values: Record<string, string> = {};
    for (const [name, value] of new FormData(event.currentTarget))
      if (typeof value === 'string') values[name] = value;
    onSubmit(values);
  };
  return (
    <form
      className="form"
      ref={ref}
      onSubmit={send}
      onInput={({ target }) =>
        isField(target) && setMissing((names) => names.filter((one) => one !== target.name))
      }
      noValidate
    >
      <Missing value={missing}>{children}</Missing>
      <Refused error={beside ? undefined : error} />
      <button type="submit" className={danger ? 'button wide danger' : 'button wide primary'} disabled={busy}>
        {busy ? t('wait') : submit}
      </button>
    </form>
  );
}

type FormField = HTMLInputElement | HTMLTextAreaElement;

function isField(one: EventTarget): one is FormField {
  return one instanceof HTMLInputElement || one instanceof HTMLTextAreaElement;
}

function inputsOf(form: HTMLFormElement | null): FormField[] {
  return [...(form?.elements ?? [])].filter(isField);
}
