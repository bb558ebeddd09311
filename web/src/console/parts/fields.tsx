// Fields and acts that several dialogs have.

import { type QueryKey, useQuery } from '@tanstack/react-query';
import { api, read } from '../../api/client';
import { activityKeys } from '../keys';
import { type Say, useText } from '../text';
import { Act, asMaybe, asNumber, asText, type Field, reasonField, type Values } from './Act';

/** From when and until when; both may be left open. */
export function windowFields(t: Say, known?: { from_ms?: number | null; until_ms?: number | null }): Field[] {
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
  ];
}

/** What `windowFields` say. */
export const windowOf = (values: Values) => ({
  from: asMaybe(values.from),
  until: asMaybe(values.until),
});

/** An activity to choose, of the newest. */
export function useActivityField(help?: string): Field {
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
  };
}

interface RestockProps {
  says: string;
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
      run={(values, once) => send({ id: once, delta: asNumber(values.delta), reason: asText(values.reason) })}
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
