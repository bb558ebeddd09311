// Fields and acts that several dialogs have.

import { type QueryKey, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api, read } from '../../api/client';
import { activityKeys } from '../keys';
import type { Field, ValuesOf } from '../logic/fields';
import { type Say, useText } from '../text';
import { Act, reasonField } from './Act';

/** From when and until when; both may be left open. */
export function windowFields(t: Say, known?: { from_ms?: number | null; until_ms?: number | null }) {
  return [
    {
      name: 'from',
      label: t('act.from'),
      kind: 'moment',
      optional: true,
      initial: known?.from_ms ?? undefined,
    },
    {
      name: 'until',
      label: t('act.until'),
      kind: 'moment',
      optional: true,
      initial: known?.until_ms ?? undefined,
    },
  ] as const satisfies readonly Field[];
}

/** What `windowFields` say. */
export const windowOf = (values: ValuesOf<ReturnType<typeof windowFields>>) => ({
  from: values.from ?? null,
  until: values.until ?? null,
});

/** An activity to choose, of the newest. */
export function useActivityField(help?: string) {
  const { t } = useText();
  const { data } = useQuery({
    queryKey: activityKeys.choice(),
    queryFn: read((signal) => api.GET('/activities', { params: { query: { limit: 200 } }, signal })),
  });
  return {
    name: 'activity',
    label: t('rule.activity'),
    kind: 'select',
    optional: true,
    ...(help ? { help } : {}),
    options: (data?.items ?? []).map((one) => ({ value: one.id, label: one.name })),
  } as const satisfies Field;
}

interface RestockProps {
  says: ReactNode;
  send: (body: { id: string; delta: number; reason: string }) => Promise<unknown>;
  refresh: QueryKey[];
  link?: boolean;
}

/** More units, or fewer of those that are free. */
export function Restock({ says, send, refresh, link = false }: RestockProps) {
  const { t } = useText();
  return (
    <Act
      link={link}
      label={t('run.restock')}
      says={says}
      fields={[
        { name: 'delta', label: t('run.delta'), kind: 'number', help: t('run.deltaHelp') },
        reasonField(t),
      ]}
      run={(values, once) => send({ id: once, delta: values.delta, reason: values.reason })}
      refresh={refresh}
      done={t('saved')}
    />
  );
}

interface SwitchProps {
  on: boolean;
  /** Where its words are: `<words>.on`, `onSays`, `off`, `offSays`. */
  words: 'shop' | 'rule';
  turn: (on: boolean) => Promise<unknown>;
  refresh: QueryKey[];
}

/** On or off, whichever it is not. */
export function Switch({ on, words, turn, refresh }: SwitchProps) {
  const { t } = useText();
  const which = on ? 'off' : 'on';
  return (
    <Act
      link
      danger={on}
      label={t(`${words}.${which}`)}
      says={t(`${words}.${which}Says`)}
      refresh={refresh}
      done={t('saved')}
      run={() => turn(!on)}
    />
  );
}
