import { api, ask, insist, read } from '../../api/client';
import type { CodePoolBody } from '../../api/wire';
import { formatMoment, formatNumber } from '../../i18n';
import { codePoolKeys, siteKeys } from '../keys';
import { Act, reasonField } from '../parts/Act';
import { Count, Title, When } from '../parts/bits';
import { queryOf, Search, useFilters } from '../parts/Filter';
import { type Column, PageTable } from '../parts/PageTable';
import { useText } from '../text';
import { CodesImport } from './CodesImport';

/** Pools of redeem codes, and the import. */
export default function Codes() {
  const { t, language } = useText();
  const [get, set] = useFilters();
  const columns: Column<CodePoolBody>[] = [
    { key: 'name', title: t('col.name'), text: (row) => row.name },
    {
      key: 'left',
      title: t('codes.left'),
      text: (row) => String(row.left),
      right: true,
      show: (row) => <Left pool={row} />,
    },
    {
      key: 'given',
      title: t('codes.given'),
      text: (row) => String(row.given),
      right: true,
      show: (row) => <Count n={row.given} />,
    },
    {
      key: 'imported',
      title: t('codes.imported'),
      text: (row) => String(row.imported),
      right: true,
      show: (row) => <Count n={row.imported} />,
    },
    {
      key: 'retired',
      title: t('codes.retired'),
      text: (row) => formatNumber(row.retired, language),
      right: true,
    },
    {
      key: 'low',
      title: t('codes.lowBelow'),
      text: (row) => formatNumber(row.low_below, language),
      right: true,
    },
    {
      key: 'made',
      title: t('col.made'),
      text: (row) => formatMoment(row.made_ms, language),
      show: (row) => <When ms={row.made_ms} />,
    },
    { key: 'id', title: t('col.id'), text: (row) => row.id, show: (row) => <code>{row.id}</code> },
    {
      key: 'acts',
      title: t('col.acts'),
      text: () => '',
      show: (row) => (
        <span className="row">
          <CodesImport pool={row} refresh={codePoolKeys.all} />
          <Retire pool={row} />
          <Act
            link
            label={t('codes.change')}
            says={t('codes.changeSays')}
            fields={[
              {
                name: 'low',
                label: t('codes.lowBelow'),
                kind: 'number',
                initial: row.low_below,
                min: 0,
                help: t('codes.lowHelp'),
              },
            ]}
            run={(values) =>
              ask((signal) =>
                api.PATCH('/code-pools/{id}', {
                  params: { path: { id: row.id } },
                  body: { low_below: values.low },
                  signal,
                }),
              )
            }
            refresh={[codePoolKeys.all]}
            done={t('saved')}
          />
        </span>
      ),
    },
  ];
  return (
    <>
      <Title
        extra={
          <Act
            primary
            label={t('codes.new')}
            says={t('codes.newSays')}
            fields={[
              { name: 'name', label: t('col.name'), max: 100 },
              {
                name: 'low',
                label: t('codes.lowBelow'),
                kind: 'number',
                initial: 100,
                min: 0,
                help: t('codes.lowHelp'),
              },
            ]}
            run={(values, once) =>
              insist((signal) =>
                api.POST('/code-pools', {
                  params: { header: { 'Idempotency-Key': once } },
                  body: { name: values.name, low_below: values.low },
                  signal,
                }),
              )
            }
            refresh={[codePoolKeys.all]}
            done={t('saved')}
          />
        }
      >
        {t('nav.codes')}
      </Title>
      <PageTable<CodePoolBody>
        queryKey={codePoolKeys.rows(queryOf(get, ['name']))}
        fetch={read((signal, page) =>
          api.GET('/code-pools', { params: { query: { ...page, ...queryOf(get, ['name']) } }, signal }),
        )}
        columns={columns}
        rowKey={(row) => row.id}
        file="code-pools.csv"
        empty={t('codes.none')}
        filters={
          <Search label={t('codes.search')} value={get('name')} change={(text) => set('name', text)} />
        }
      />
    </>
  );
}

function Left({ pool }: { pool: CodePoolBody }) {
  const { t } = useText();
  return (
    <>
      <Count n={pool.left} />
      {pool.low_since_ms != null && <span className="wrong"> {t('run.low')}</span>}
    </>
  );
}

/** By name, or all that are left. */
function Retire({ pool }: { pool: CodePoolBody }) {
  const { t, language } = useText();
  return (
    <Act
      link
      danger
      label={t('codes.retire')}
      says={t('codes.retireSays')}
      fields={[
        {
          name: 'codes',
          label: t('codes.retireWhich'),
          kind: 'area',
          optional: true,
          max: 200_000,
          help: t('codes.retireHelp', { n: formatNumber(pool.left, language) }),
        },
        reasonField(t),
      ]}
      run={({ codes, reason }) => {
        const named = (codes ?? '').split(/\r?\n/).map((code) => code.trim());
        const wanted = named.filter((code) => code !== '');
        const params = { path: { id: pool.id } };
        const body = wanted.length > 0 ? { codes: wanted, reason } : { reason };
        return ask((signal) => api.POST('/code-pools/{id}/retire', { params, body, signal }));
      }}
      refresh={[codePoolKeys.all, siteKeys.attention]}
      outcome={({ retired, given, unknown }) => <p>{t('codes.retiredN', { retired, given, unknown })}</p>}
    />
  );
}
