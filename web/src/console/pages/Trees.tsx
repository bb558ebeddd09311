import { Button } from 'antd';
import { Link, useNavigate } from 'react-router';
import { api, read } from '../../api/client';
import { treePurposeValues } from '../../api/schema.gen';
import type { TreeEntry } from '../../api/wire';
import { formatMoment } from '../../i18n';
import { treeKeys } from '../keys';
import { Actor, Title, When } from '../parts/bits';
import { Choice, queryOf, Search, useFilters } from '../parts/Filter';
import { type Column, PageTable } from '../parts/PageTable';
import { useMay } from '../session/session';
import { useText } from '../text';

/** Rule trees: who may take part, or who gets which activity. */
export default function Trees() {
  const { t, language } = useText();
  const may = useMay();
  const go = useNavigate();
  const [get, set] = useFilters();
  const columns: Column<TreeEntry>[] = [
    {
      key: 'name',
      title: t('col.name'),
      text: (row) => row.name,
      show: (row) => <Link to={`/trees/${row.id}`}>{row.name || row.id}</Link>,
    },
    { key: 'purpose', title: t('tree.purpose'), text: (row) => t(`tree.${row.purpose}`) },
    { key: 'newest', title: t('tree.newest'), text: (row) => String(row.newest), right: true },
    {
      key: 'by',
      title: t('col.by'),
      text: (row) => row.created_by.id ?? row.created_by.kind,
      show: (row) => <Actor actor={row.created_by} />,
    },
    {
      key: 'changed',
      title: t('col.changed'),
      text: (row) => formatMoment(row.changed_at_ms, language),
      show: (row) => <When ms={row.changed_at_ms} />,
    },
  ];
  return (
    <>
      <Title
        extra={
          may('writeTrees') && (
            <Button type="primary" onClick={() => void go('/trees/new')}>
              {t('tree.new')}
            </Button>
          )
        }
      >
        {t('nav.trees')}
      </Title>
      <PageTable<TreeEntry>
        queryKey={treeKeys.rows(queryOf(get, ['name', 'purpose']))}
        fetch={read((signal, page) =>
          api.GET('/trees', {
            params: { query: { ...page, ...queryOf(get, ['name', 'purpose']) } },
            signal,
          }),
        )}
        columns={columns}
        rowKey={(row) => row.id}
        file="trees.csv"
        empty={t('tree.none')}
        filters={
          <>
            <Search label={t('tree.search')} value={get('name')} change={(text) => set('name', text)} />
            <Choice
              label={t('tree.purpose')}
              value={get('purpose')}
              change={(value) => set('purpose', value)}
              options={treePurposeValues.map((name) => ({ value: name, label: t(`tree.${name}`) }))}
            />
          </>
        }
      />
    </>
  );
}
