// Columns that stand in many tables: for the page and for the file alike.
import { formatMoment, formatNumber } from '../../i18n';
import { useText } from '../text';
import { Count, Person, State, type StateName, stateWord, When } from './bits';
import type { Column } from './PageTable';

/** Makers of columns, in the reader's language. */
export function useColumns() {
  const { t, language } = useText();
  return {
    id: <Row,>(of: (row: Row) => string): Column<Row> => ({
      key: 'id',
      title: t('col.id'),
      text: of,
      show: (row) => <code>{of(row)}</code>,
    }),
    name: <Row,>(of: (row: Row) => string): Column<Row> => ({ key: 'name', title: t('col.name'), text: of }),
    state: <Row,>(of: (row: Row) => StateName): Column<Row> => ({
      key: 'state',
      title: t('col.state'),
      text: (row) => stateWord(t, of(row)),
      show: (row) => <State name={of(row)} />,
    }),
    user: <Row,>(of: (row: Row) => string): Column<Row> => ({
      key: 'user',
      title: t('col.user'),
      text: of,
      show: (row) => <Person id={of(row)} />,
    }),
    moment: <Row,>(key: string, title: string, of: (row: Row) => number | null | undefined): Column<Row> => ({
      key,
      title,
      text: (row) => momentText(of(row), language),
      show: (row) => <When ms={of(row)} />,
    }),
    number: <Row,>(key: string, title: string, of: (row: Row) => number): Column<Row> => ({
      key,
      title,
      text: (row) => formatNumber(of(row), language),
      show: (row) => <Count n={of(row)} />,
      right: true,
    }),
  };
}

function momentText(ms: number | null | undefined, language: Parameters<typeof formatMoment>[1]): string {
  return ms === null || ms === undefined ? '' : formatMoment(ms, language);
}
