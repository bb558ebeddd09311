// Columns that every table of messages has: dead letters, and messages that wait after a restore.

import { Person } from '../parts/bits';
import type { Column } from '../parts/PageTable';
import { useText } from '../text';
import { Lane, laneText, useHooks } from './lanes';

interface Message {
  lane: string;
  kind: string;
  subject: string;
  user_id?: string | null;
  attempts: number;
}

/** Makers of columns, in the reader's language. */
export function useMessageColumns() {
  const { t } = useText();
  const hooks = useHooks();
  return {
    lane: <Row extends Message>(title: string): Column<Row> => ({
      key: 'lane',
      title,
      text: (row) => laneText(t, row.lane, hooks),
      show: (row) => <Lane name={row.lane} />,
    }),
    kind: <Row extends Message>(): Column<Row> => ({
      key: 'kind',
      title: t('col.kind'),
      text: (row) => row.kind,
    }),
    subject: <Row extends Message>(): Column<Row> => ({
      key: 'subject',
      title: t('dead.subject'),
      text: (row) => row.subject,
      show: (row) => <code>{row.subject}</code>,
    }),
    user: <Row extends Message>(): Column<Row> => ({
      key: 'user',
      title: t('col.user'),
      text: (row) => row.user_id ?? '',
      show: (row) => (row.user_id ? <Person id={row.user_id} /> : '—'),
    }),
    attempts: <Row extends Message>(): Column<Row> => ({
      key: 'attempts',
      title: t('dead.attempts'),
      text: (row) => String(row.attempts),
      right: true,
    }),
  };
}
