import { api, ask, read } from '../../api/client';
import type { GrantedStaffBody } from '../../api/wire';
import { grantKeys } from '../keys';
import { Act, reasonField } from '../parts/Act';
import { useColumns } from '../parts/columns';
import { type Column, PageTable } from '../parts/PageTable';
import { useMay } from '../session/session';
import { useText } from '../text';

/** What a rule has given, newest first. */
export function Granted({ rule }: { rule: string }) {
  const { t } = useText();
  const may = useMay();
  const column = useColumns();
  const key = grantKeys.given(rule);
  const columns: Column<GrantedStaffBody>[] = [
    column.user((row) => row.user_id),
    column.number('amount', t('rule.amount'), (row) => row.amount),
    { key: 'period', title: t('rule.period'), text: (row) => row.period },
    column.moment('at', t('col.at'), (row) => row.at_ms),
  ];
  if (may('runActivities')) {
    columns.push({
      key: 'back',
      title: t('col.acts'),
      text: () => '',
      show: (row) => (
        <Act
          link
          danger
          label={t('user.reverse')}
          says={t('rule.backSays')}
          fields={[reasonField(t)]}
          refresh={[key]}
          done={t('saved')}
          run={(values) =>
            ask((signal) =>
              api.POST('/grants/{id}/reverse', {
                params: { path: { id: row.id } },
                body: { reason: values.reason },
                signal,
              }),
            )
          }
        />
      ),
    });
  }
  return (
    <PageTable<GrantedStaffBody>
      queryKey={key}
      fetch={read((signal, page) => api.GET('/grants', { params: { query: { ...page, rule } }, signal }))}
      columns={columns}
      rowKey={(row) => row.id}
      file="grants.csv"
      empty={t('rule.nothing')}
    />
  );
}
