import { api, read } from '../../api/client';
import type { AuditBody } from '../../api/wire';
import { formatMoment } from '../../i18n';
import { siteKeys } from '../keys';
import { Actor, Title, When } from '../parts/bits';
import { queryOf, Search, useFilters } from '../parts/Filter';
import { type Column, PageTable } from '../parts/PageTable';
import { Pre } from '../parts/Scroll';
import { useText } from '../text';

const NAMES = ['actor', 'action', 'subject'] as const;

/** Who did what, with before and after. */
export default function Audit() {
  const { t, language } = useText();
  const [get, set] = useFilters();
  const columns: Column<AuditBody>[] = [
    {
      key: 'at',
      title: t('col.at'),
      text: (row) => formatMoment(row.at_ms, language),
      show: (row) => <When exact ms={row.at_ms} />,
    },
    {
      key: 'actor',
      title: t('audit.actor'),
      text: (row) => row.actor.id ?? row.actor.kind,
      show: (row) => <Actor actor={row.actor} />,
    },
    {
      key: 'action',
      title: t('audit.action'),
      text: (row) => row.action,
      show: (row) => <code>{row.action}</code>,
    },
    {
      key: 'subject',
      title: t('audit.subject'),
      text: (row) => row.subject,
      show: (row) => <code>{row.subject}</code>,
    },
    { key: 'reason', title: t('col.reason'), text: (row) => row.reason },
    {
      key: 'request',
      title: t('audit.request'),
      text: (row) => row.request_id,
      show: (row) => <code>{row.request_id}</code>,
    },
  ];
  return (
    <>
      <Title>{t('nav.audit')}</Title>
      <PageTable<AuditBody>
        queryKey={siteKeys.auditRows(queryOf(get, NAMES))}
        fetch={read((signal, page) =>
          api.GET('/admin/audit', { params: { query: { ...page, ...queryOf(get, NAMES) } }, signal }),
        )}
        columns={columns}
        rowKey={(row) => row.id}
        file="audit.csv"
        detail={(row) => (
          <div className="two">
            <div>
              <h3>{t('audit.before')}</h3>
              <Pre>{JSON.stringify(row.before, null, 2)}</Pre>
            </div>
            <div>
              <h3>{t('audit.after')}</h3>
              <Pre>{JSON.stringify(row.after, null, 2)}</Pre>
            </div>
          </div>
        )}
        filters={NAMES.map((name) => (
          <Search
            key={name}
            label={t(`audit.${name}`)}
            value={get(name)}
            change={(text) => set(name, text)}
          />
        ))}
      />
    </>
  );
}
