import { api, ask, read } from '../../api/client';
import type { BlockedBody, ImportBody, NamedBody } from '../../api/wire';
import { formatMoment } from '../../i18n';
import { activityKeys } from '../keys';
import { Act, reasonField } from '../parts/Act';
import { Actor, Person, When } from '../parts/bits';
import { type Column, PageTable } from '../parts/PageTable';
import { useMay } from '../session/session';
import { useText } from '../text';

/** Who gets the consolation and nothing else. */
export function BlockList({ id }: { id: string }) {
  const { t, language } = useText();
  const may = useMay();
  const key = activityKeys.blocked(id);
  const columns: Column<BlockedBody>[] = [
    {
      key: 'user',
      title: t('col.user'),
      text: (row) => row.user_id,
      show: (row) => <Person id={row.user_id} />,
    },
    { key: 'external', title: t('user.external'), text: (row) => row.external_id ?? '' },
    { key: 'reason', title: t('col.reason'), text: (row) => row.reason },
    {
      key: 'by',
      title: t('col.by'),
      text: (row) => row.added_by.id ?? row.added_by.kind,
      show: (row) => <Actor actor={row.added_by} />,
    },
    {
      key: 'at',
      title: t('col.at'),
      text: (row) => formatMoment(row.added_at_ms, language),
      show: (row) => <When ms={row.added_at_ms} />,
    },
  ];
  if (may('runActivities')) {
    columns.push({
      key: 'acts',
      title: t('col.acts'),
      text: () => '',
      show: (row) => (
        <Act
          link
          label={t('block.remove')}
          says={t('block.removeSays')}
          run={() =>
            ask((signal) =>
              api.DELETE('/activities/{id}/block-list/{user}', {
                params: { path: { id, user: row.user_id } },
                signal,
              }),
            )
          }
          refresh={[key]}
          done={t('saved')}
        />
      ),
    });
  }
  return (
    <>
      <div className="row-between gap-bottom">
        <p className="soft">{t('block.help')}</p>
        {may('runActivities') && (
          <Act
            label={t('block.import')}
            says={t('block.importSays')}
            fields={[
              {
                name: 'users',
                label: t('block.users'),
                kind: 'area',
                max: 1_000_000,
                help: t('block.usersHelp'),
              },
              {
                name: 'which',
                label: t('block.which'),
                kind: 'select',
                initial: 'user_id',
                options: [
                  { value: 'user_id', label: t('block.byId') },
                  { value: 'external_id', label: t('block.byExternal') },
                ],
              },
              reasonField(t),
            ]}
            run={(values) => {
              const lines = values.users.split(/[\s,;]+/).filter(Boolean);
              const body = {
                csv: [values.which, ...lines].join('\n'),
                reason: values.reason,
              };
              return ask((signal) =>
                api.POST('/activities/{id}/block-list', { params: { path: { id } }, body, signal }),
              );
            }}
            refresh={[key]}
            outcome={(told: ImportBody) => <Imported told={told} />}
          />
        )}
      </div>
      <PageTable<BlockedBody>
        queryKey={key}
        fetch={read((signal, page) =>
          api.GET('/activities/{id}/block-list', { params: { path: { id }, query: page }, signal }),
        )}
        columns={columns}
        rowKey={(row) => row.user_id}
        file="block-list.csv"
        empty={t('block.empty')}
      />
    </>
  );
}

const named = (who: NamedBody) => ('user_id' in who ? who.user_id : who.external_id);

function Imported({ told }: { told: ImportBody }) {
  const { t } = useText();
  return (
    <dl className="facts">
      <dt>{t('block.added')}</dt>
      <dd>{told.added}</dd>
      <dt>{t('block.already')}</dt>
      <dd>{told.already}</dd>
      <dt>{t('block.duplicates')}</dt>
      <dd>{told.duplicates.map(named).join(', ') || '0'}</dd>
      <dt>{t('block.unknown')}</dt>
      <dd>{told.unknown.map(named).join(', ') || '0'}</dd>
    </dl>
  );
}
