import { Checkbox } from 'antd';
import { Link } from 'react-router';
import { api, read } from '../../api/client';
import type { AccountBody } from '../../api/wire';
import { formatMoment } from '../../i18n';
import { userKeys } from '../keys';
import { State, Title, When } from '../parts/bits';
import { Choice, queryOf, Search, useFilters } from '../parts/Filter';
import { type Column, PageTable } from '../parts/PageTable';
import { ROLES, staffRoles } from '../session/roles';
import { type Say, useText } from '../text';

/** Staff without a second factor, which is a matter for admins. */
const lacksSecond = (row: AccountBody): boolean =>
  !row.second_factor && !row.deleted && staffRoles(row.roles).length > 0;

/** Of staff only: players are not asked for one. */
function secondWord(row: AccountBody, t: Say): string {
  if (row.second_factor) return t('second.has');
  return lacksSecond(row) ? t('second.hasNone') : '';
}

/** People: found by name, phone, the company's own id, role, or because they are banned. */
export default function Users() {
  const { t, language } = useText();
  const [get, set] = useFilters();
  const columns: Column<AccountBody>[] = [
    {
      key: 'name',
      title: t('col.name'),
      text: (row) => row.name,
      show: (row) => <Link to={`/users/${row.id}`}>{row.name || row.id}</Link>,
    },
    { key: 'phone', title: t('gate.phone'), text: (row) => row.phone ?? '' },
    { key: 'external', title: t('user.external'), text: (row) => row.external_id ?? '' },
    {
      key: 'roles',
      title: t('user.roles'),
      text: (row) => row.roles.map((role) => t(`role.${role}`)).join(', '),
    },
    {
      key: 'second',
      title: t('second.title'),
      text: (row) => secondWord(row, t),
      show: (row) => <span className={lacksSecond(row) ? 'wrong' : ''}>{secondWord(row, t) || '—'}</span>,
    },
    {
      key: 'state',
      title: t('col.state'),
      text: (row) => (row.ban ? t('user.banned') : row.deleted ? t('user.deleted') : ''),
      show: (row) =>
        row.ban ? (
          <span className="wrong">{t('user.banned')}</span>
        ) : row.deleted ? (
          <State name="closed" />
        ) : (
          '—'
        ),
    },
    {
      key: 'since',
      title: t('user.since'),
      text: (row) => formatMoment(row.created_ms, language),
      show: (row) => <When ms={row.created_ms} />,
    },
    { key: 'id', title: t('col.id'), text: (row) => row.id, show: (row) => <code>{row.id}</code> },
  ];
  const names = ['name', 'phone', 'external_id', 'role'] as const;
  return (
    <>
      <Title>{t('nav.users')}</Title>
      <PageTable<AccountBody>
        queryKey={userKeys.rows(queryOf(get, [...names, 'banned']))}
        fetch={read((signal, page) =>
          api.GET('/admin/users', {
            params: {
              query: { ...page, ...queryOf(get, names), ...(get('banned') ? { banned: true } : {}) },
            },
            signal,
          }),
        )}
        columns={columns}
        rowKey={(row) => row.id}
        file="users.csv"
        filters={
          <>
            <Search label={t('user.byName')} value={get('name')} change={(text) => set('name', text)} />
            <Search label={t('user.byPhone')} value={get('phone')} change={(text) => set('phone', text)} />
            <Search
              label={t('user.byExternal')}
              value={get('external_id')}
              change={(text) => set('external_id', text)}
            />
            <Choice
              label={t('user.role')}
              value={get('role')}
              change={(value) => set('role', value)}
              options={ROLES.map((role) => ({
                value: role,
                label: t(`role.${role}`),
              }))}
            />
            <Checkbox
              checked={get('banned') !== ''}
              onChange={(event) => set('banned', event.target.checked ? 'true' : '')}
            >
              {t('user.onlyBanned')}
            </Checkbox>
          </>
        }
      />
    </>
  );
}
