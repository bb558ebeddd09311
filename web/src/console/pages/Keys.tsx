import { api, ask, insist, read } from '../../api/client';
import { scopeValues } from '../../api/schema.gen';
import type { KeyBody } from '../../api/wire';
import { formatMoment } from '../../i18n';
import { siteKeys } from '../keys';
import { Act } from '../parts/Act';
import { Person, State, stateWord, Title, When } from '../parts/bits';
import { type Column, PageTable } from '../parts/PageTable';
import { Secret } from '../parts/Secret';
import { useText } from '../text';

/** API keys: shown once, rotated with overlap, revoked at once. */
export default function Keys() {
  const { t, language } = useText();
  const columns: Column<KeyBody>[] = [
    { key: 'name', title: t('col.name'), text: (row) => row.name },
    { key: 'scopes', title: t('keys.scopes'), text: (row) => row.scopes.join(', ') },
    {
      key: 'state',
      title: t('col.state'),
      text: (row) => (row.revoked_ms ? t('keys.revoked') : stateWord(t, row.approval_id ? 'waiting' : 'on')),
      show: (row) =>
        row.revoked_ms ? (
          <span className="soft">{t('keys.revoked')}</span>
        ) : (
          <State name={row.approval_id ? 'waiting' : 'on'} />
        ),
    },
    {
      key: 'maker',
      title: t('keys.maker'),
      text: (row) => row.made_by ?? '',
      show: (row) => (row.made_by ? <Person id={row.made_by} /> : t('keys.console')),
    },
    {
      key: 'used',
      title: t('keys.used'),
      text: (row) => (row.last_used_ms ? formatMoment(row.last_used_ms, language) : ''),
      show: (row) => <When ms={row.last_used_ms} />,
    },
    {
      key: 'previous',
      title: t('keys.previous'),
      text: (row) => (row.previous_until_ms ? formatMoment(row.previous_until_ms, language) : ''),
      show: (row) => <When ms={row.previous_until_ms} />,
    },
    {
      key: 'made',
      title: t('col.made'),
      text: (row) => formatMoment(row.created_ms, language),
      show: (row) => <When ms={row.created_ms} />,
    },
    {
      key: 'acts',
      title: t('col.acts'),
      text: () => '',
      show: (row) => (row.revoked_ms ? '—' : <Acts row={row} />),
    },
  ];
  return (
    <>
      <Title
        extra={
          <Act
            primary
            label={t('keys.new')}
            says={t('keys.newSays')}
            refresh={[siteKeys.keys]}
            fields={[
              { name: 'name', label: t('col.name'), max: 40 },
              {
                name: 'scopes',
                label: t('keys.scopes'),
                kind: 'many',
                options: scopeValues.map((scope) => ({
                  value: scope,
                  label: `${scope}: ${t(`scope.${scope}`)}`,
                })),
              },
            ]}
            run={(values, once) =>
              insist((signal) =>
                api.POST('/admin/keys', {
                  params: { header: { 'Idempotency-Key': once } },
                  body: { name: values.name, scopes: values.scopes },
                  signal,
                }),
              )
            }
            outcome={(told) => (
              <>
                <Secret secret={told.secret} />
                {told.approval_id && <p>{t('keys.waits')}</p>}
              </>
            )}
          />
        }
      >
        {t('nav.keys')}
      </Title>
      <PageTable<KeyBody>
        queryKey={siteKeys.keys}
        fetch={read((signal) => api.GET('/admin/keys', { signal }))}
        columns={columns}
        rowKey={(row) => row.id}
        file="keys.csv"
        empty={t('keys.none')}
      />
    </>
  );
}

function Acts({ row }: { row: KeyBody }) {
  const { t } = useText();
  const { id } = row;
  return (
    <span className="row">
      <Act
        link
        label={t('keys.rotate')}
        says={t('keys.rotateSays')}
        refresh={[siteKeys.keys]}
        fields={[{ name: 'hours', label: t('keys.overlap'), kind: 'number', min: 0, max: 720, initial: 24 }]}
        run={(values, once) =>
          insist((signal) =>
            api.POST('/admin/keys/{id}/rotate', {
              params: { path: { id }, header: { 'Idempotency-Key': once } },
              body: { overlap_hours: values.hours },
              signal,
            }),
          )
        }
        outcome={(told) => <Secret secret={told.secret} />}
      />
      <Act
        link
        danger
        label={t('keys.revoke')}
        says={t('keys.revokeSays', { name: row.name })}
        refresh={[siteKeys.keys]}
        done={t('keys.revoked')}
        run={() => ask((signal) => api.DELETE('/admin/keys/{id}', { params: { path: { id } }, signal }))}
      />
    </span>
  );
}
