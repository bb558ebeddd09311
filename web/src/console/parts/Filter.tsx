import { Input, Select } from 'antd';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { API_ROOT } from '../../api/client';
import { useText } from '../text';
import { type StateName, stateWord } from './bits';

/** Filters live in the address, so that a table can be linked to and comes back with the back button. */
export function useFilters(): [
  get: (name: string) => string,
  set: (name: string, value: string) => void,
  setAll: (values: Record<string, string>) => void,
] {
  const [params, setParams] = useSearchParams();
  const setAll = (values: Record<string, string>) =>
    setParams(
      (old) => {
        const next = new URLSearchParams(old);
        for (const [name, value] of Object.entries(values)) {
          if (value) next.set(name, value);
          else next.delete(name);
        }
        return next;
      },
      { replace: true, preventScrollReset: true },
    );
  return [(name) => params.get(name) ?? '', (name, value) => setAll({ [name]: value }), setAll];
}

/**
 * The filters that are set, as a query has them. They come from the address bar, and the server judges them: whatever type
 * the query wants, they fit.
 */
export function queryOf<K extends string>(
  get: (name: string) => string,
  names: readonly K[],
): { [name in K]?: never } {
  const set: { [name in K]?: string } = {};
  for (const name of names) if (get(name)) set[name] = get(name);
  return set as { [name in K]?: never };
}

interface ChoiceProps {
  label: string;
  value: string;
  change: (value: string) => void;
  options: { value: string; label: string }[];
}

export function Choice({ label, value, change, options }: ChoiceProps) {
  const { t } = useText();
  return (
    <Select
      className="filter"
      aria-label={label}
      value={value}
      onChange={change}
      options={[{ value: '', label: `${label}: ${t('all')}` }, ...options]}
      popupMatchSelectWidth={false}
    />
  );
}

/** A choice among states, by their words. */
export function StateChoice({
  states,
  value,
  change,
}: Omit<ChoiceProps, 'label' | 'options'> & { states: readonly StateName[] }) {
  const { t } = useText();
  return (
    <Choice
      label={t('col.state')}
      value={value}
      change={change}
      options={states.map((name) => ({ value: name, label: stateWord(t, name) }))}
    />
  );
}

/** All that the filters leave, as a file that the server writes. */
export function Csv({ path, query, label }: { path: string; query: Record<string, string>; label: string }) {
  return (
    <a href={`${API_ROOT}${path}?${new URLSearchParams(query)}`} download={path.split('/').at(-1)}>
      {label}
    </a>
  );
}

export function Search({
  label,
  value,
  change,
}: {
  label: string;
  value: string;
  change: (value: string) => void;
}) {
  const [typed, setTyped] = useState(value);
  return (
    <Input.Search
      className="search"
      placeholder={label}
      aria-label={label}
      allowClear
      value={typed}
      onChange={(event) => setTyped(event.target.value)}
      onSearch={(text) => change(text.trim())}
    />
  );
}
