import { Button, Input, Select } from 'antd';
import { useState } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router';
import { api, read } from '../../api/client';
import { activityStateValues } from '../../api/schema.gen';
import type { ActivityBody } from '../../api/wire';
import { formatMoment } from '../../i18n';
import { activityKeys } from '../keys';
import { Actor, State, stateWord, Title, When } from '../parts/bits';
import { queryOf } from '../parts/Filter';
import { type Column, PageTable } from '../parts/PageTable';
import { useMay } from '../session/session';
import { useText } from '../text';

/** All activities, by state and by what stands in their names. */
export default function Activities() {
  const { t, language } = useText();
  const may = useMay();
  const go = useNavigate();
  const [params, setParams] = useSearchParams();
  const state = params.get('state') ?? '';
  const q = params.get('q') ?? '';
  const [typed, setTyped] = useState(q);
  const filter = (name: string, value: string) =>
    setParams(
      (old) => {
        const next = new URLSearchParams(old);
        if (value) next.set(name, value);
        else next.delete(name);
        return next;
      },
      { preventScrollReset: true },
    );

  const columns: Column<ActivityBody>[] = [
    {
      key: 'name',
      title: t('col.name'),
      text: (row) => row.name,
      show: (row) => <Link to={`/activities/${row.id}`}>{row.name || t('act.unnamed')}</Link>,
    },
    {
      key: 'state',
      title: t('col.state'),
      text: (row) => stateWord(t, row.state),
      show: (row) => (
        <>
          <State name={row.state} />
          {row.draft && row.draft.review !== row.state && <State name={row.draft.review} />}
        </>
      ),
    },
    { key: 'kind', title: t('col.kind'), text: (row) => t(`kind.${row.kind}`) },
    {
      key: 'from',
      title: t('act.from'),
      text: (row) => formatMoment(row.from_ms, language),
      show: (row) => <When ms={row.from_ms} />,
    },
    {
      key: 'until',
      title: t('act.until'),
      text: (row) => formatMoment(row.until_ms, language),
      show: (row) => <When ms={row.until_ms} />,
    },
    { key: 'round', title: t('act.round'), text: (row) => String(row.round), right: true },
    {
      key: 'by',
      title: t('col.by'),
      text: (row) => row.created_by.id ?? row.created_by.kind,
      show: (row) => <Actor actor={row.created_by} />,
    },
    { key: 'id', title: t('col.id'), text: (row) => row.id, show: (row) => <code>{row.id}</code> },
  ];
  return (
    <>
      <Title
        extra={
          may('writeActivities') && (
            <Button type="primary" onClick={() => void go('/activities/new')}>
              {t('act.new')}
            </Button>
          )
        }
      >
        {t('nav.activities')}
      </Title>
      <PageTable<ActivityBody>
        queryKey={activityKeys.rows({ state, q })}
        fetch={read((signal, page) =>
          api.GET('/activities', {
            params: { query: { ...page, ...queryOf((name) => params.get(name) ?? '', ['state', 'q']) } },
            signal,
          }),
        )}
        columns={columns}
        rowKey={(row) => row.id}
        file="activities.csv"
        filters={
          <>
            <Input.Search
              className="search"
              placeholder={t('act.search')}
              aria-label={t('act.search')}
              allowClear
              value={typed}
              onChange={(event) => setTyped(event.target.value)}
              onSearch={(text) => filter('q', text.trim())}
            />
            <Select
              aria-label={t('col.state')}
              className="filter"
              value={state}
              onChange={(value) => filter('state', value)}
              options={[
                { value: '', label: t('all') },
                ...activityStateValues.map((name) => ({ value: name, label: stateWord(t, name) })),
              ]}
            />
          </>
        }
      />
    </>
  );
}
