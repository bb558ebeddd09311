// A table over a listing with cursors: more at the end, everything as CSV, and honest when it is empty or fails.
import type { QueryKey } from '@tanstack/react-query';
import { Alert, Button, Grid, Table } from 'antd';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { type ListPage, usePolledList } from '../../api/polled';
import { formatNumber } from '../../i18n';
import { useText } from '../text';
import { allRows, csvText, download } from './csv';
import { Loading, Nothing, Trouble } from './states';

/** Rows in one CSV file at most: what a browser holds without trouble. A longer table says that its file was cut. */
const CSV_ROWS_MAX = 100_000;
const PAGE_ROWS = 50;
const CSV_PAGE_ROWS = 200;

export interface Column<Row> {
  key: string;
  title: string;
  /** As text, for CSV, and on the page where `show` is not given. */
  text: (row: Row) => string;
  show?: (row: Row) => ReactNode;
  right?: boolean;
}

/** How a page is asked for. */
export interface Ask {
  limit: number;
  after?: string;
}

interface Props<Row> {
  queryKey: QueryKey;
  fetch: (context: { signal: AbortSignal; pageParam: Ask }) => Promise<ListPage<Row>>;
  columns: Column<Row>[];
  rowKey: (row: Row) => string;
  /** The CSV file's name; without it there is none. */
  file?: string;
  filters?: ReactNode;
  empty?: string;
  refreshMs?: number;
  detail?: (row: Row) => ReactNode;
  selected?: { keys: string[]; change: (keys: string[]) => void };
}

export function PageTable<Row extends object>(props: Props<Row>) {
  const { t, language } = useText();
  const { columns, fetch, rowKey } = props;
  // What can be done about a row stays in sight, unless that would leave no room for the row.
  const wide = Grid.useBreakpoint().lg ?? false;
  const [busy, setBusy] = useState(false);
  const [csvRows, setCsvRows] = useState(0);
  const [cut, setCut] = useState(false);
  const [csvError, setCsvError] = useState<unknown>();
  const { query, rows } = usePolledList<Row>({
    queryKey: props.queryKey,
    fetch: ({ pageParam, signal }) =>
      fetch({ signal, pageParam: { limit: PAGE_ROWS, ...(pageParam ? { after: pageParam } : {}) } }),
    keyOf: rowKey,
    pace: () => props.refreshMs ?? false,
  });

  // A table that is wider than its place is moved by the arrow keys, which needs the focus on what moves.
  const frame = useRef<HTMLElement>(null);
  useEffect(() => {
    const moving = frame.current?.querySelector('.ant-table-content');
    moving?.setAttribute('tabindex', '0');
    moving?.setAttribute('role', 'region');
    moving?.setAttribute('aria-label', t('table.label'));
  });

  // A file that is being put together ends with the page that asked for it.
  const leaving = useRef(new AbortController());
  useEffect(() => {
    leaving.current = new AbortController();
    return () => leaving.current.abort();
  }, []);

  const save = async (name: string) => {
    setBusy(true);
    setCsvError(undefined);
    try {
      setCut(false);
      const page = (after: string | undefined) =>
        fetch({
          signal: leaving.current.signal,
          pageParam: { limit: CSV_PAGE_ROWS, ...(after ? { after } : {}) },
        });
      const all = await allRows(page, CSV_ROWS_MAX, setCsvRows);
      const heading = columns.map((column) => column.title);
      const lines = all.rows.map((row) => columns.map((column) => column.text(row)));
      // In the file too: whoever opens it later has not seen this page.
      if (all.cut) lines.push([t('table.csvCut', { rows: formatNumber(CSV_ROWS_MAX, language) })]);
      download(name, csvText([heading, ...lines]));
      setCut(all.cut);
    } catch (error) {
      setCsvError(error);
    } finally {
      setBusy(false);
      setCsvRows(0);
    }
  };

  return (
    <section className="table" ref={frame}>
      <div className="row-between table-tools">
        <div className="row">{props.filters}</div>
        <div className="row">
          <Button size="small" onClick={() => void query.refetch()} loading={query.isRefetching}>
            {t('table.refresh')}
          </Button>
          {props.file && (
            <Button
              size="small"
              loading={busy}
              disabled={rows.length === 0}
              onClick={() => void save(props.file ?? '')}
            >
              {busy && csvRows > 0
                ? t('table.csvRows', { number: formatNumber(csvRows, language) })
                : t('table.csv')}
            </Button>
          )}
        </div>
      </div>
      {cut && (
        <Alert
          className="gap-bottom"
          type="warning"
          showIcon
          title={t('table.csvCut', { rows: formatNumber(CSV_ROWS_MAX, language) })}
        />
      )}
      {csvError !== undefined && <Trouble error={csvError} />}
      {query.error && <Trouble error={query.error} retry={() => void query.refetch()} />}
      {query.isPending ? (
        <Loading />
      ) : rows.length === 0 ? (
        !query.error && <Nothing {...(props.empty ? { text: props.empty } : {})} />
      ) : (
        <Table<Row>
          size="middle"
          dataSource={rows}
          rowKey={rowKey}
          pagination={false}
          scroll={{ x: 'max-content' }}
          columns={columns.map((column) => ({
            key: column.key,
            title: column.title,
            ...(column.right ? { align: 'right' as const } : {}),
            ...(column.key === 'acts' && wide ? { fixed: 'right' as const } : {}),
            // A long name is cut, and whole where the pointer rests.
            ...(column.show && column.key !== 'name'
              ? {}
              : { onCell: (row: Row) => ({ title: column.text(row) }) }),
            render: (_: unknown, row: Row) =>
              column.show ? column.show(row) : <span className="cut">{column.text(row)}</span>,
          }))}
          {...(props.detail
            ? {
                expandable: {
                  expandedRowRender: props.detail,
                  columnTitle: <span className="unseen">{t('table.more')}</span>,
                },
              }
            : {})}
          {...(props.selected
            ? {
                rowSelection: {
                  selectedRowKeys: props.selected.keys,
                  onChange: (keys: React.Key[]) => props.selected?.change(keys.map(String)),
                  getTitleCheckboxProps: () => ({ 'aria-label': t('table.all') }),
                  getCheckboxProps: (row: Row) => ({ 'aria-label': rowKey(row) }),
                },
              }
            : {})}
        />
      )}
      {query.hasNextPage && (
        <div className="centre-row">
          <Button onClick={() => void query.fetchNextPage()} loading={query.isFetchingNextPage}>
            {t('table.next')}
          </Button>
        </div>
      )}
    </section>
  );
}
