// The fields of a dialog, and what they come to: each by its name, with the type that its kind has. Pure.

export interface Option {
  value: string;
  label: string;
}

export interface Field {
  name: string;
  label: string;
  kind?: 'text' | 'area' | 'number' | 'select' | 'many' | 'moment' | 'check' | 'password' | 'second';
  options?: readonly Option[];
  initial?: unknown;
  optional?: boolean;
  help?: string;
  min?: number;
  max?: number;
}

type Chosen<F extends Field> = F extends { options: readonly { value: infer V }[] } ? V : string;
type Left<F extends Field> = F extends { optional: true } ? undefined : never;

/** What a field comes to. Texts are never absent: one that is left out is empty. */
export type ValueOf<F extends Field> = F extends { kind: 'number' | 'moment' }
  ? number | Left<F>
  : F extends { kind: 'check' }
    ? boolean
    : F extends { kind: 'many' }
      ? Chosen<F>[]
      : F extends { kind: 'select' }
        ? Chosen<F> | Left<F>
        : string;

export type ValuesOf<Fields extends readonly Field[]> = {
  [F in Fields[number] as F['name']]: ValueOf<F>;
};

/** What was typed and chosen, as the kinds of the fields say. */
export function valuesOf<const Fields extends readonly Field[]>(
  fields: Fields,
  given: Readonly<Record<string, unknown>>,
): ValuesOf<Fields> {
  const values = fields.map((field) => [field.name, read(field, given[field.name])]);
  return Object.fromEntries(values) as ValuesOf<Fields>;
}

function read({ kind = 'text' }: Field, given: unknown): unknown {
  switch (kind) {
    case 'number':
    case 'moment':
      return typeof given === 'number' ? given : undefined;
    case 'check':
      return given === true;
    case 'many':
      return Array.isArray(given) ? given : [];
    case 'select':
      return typeof given === 'string' && given !== '' ? given : undefined;
    case 'text':
    case 'area':
    case 'password':
    case 'second':
      return typeof given === 'string' ? given.trim() : '';
  }
}
