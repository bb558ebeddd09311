// What happened to an activity: who did what, when and why.
import { api, read } from '../../api/client';
import type { AuditBody } from '../../api/wire';
import { formatMoment } from '../../i18n';
import { activityKeys } from '../keys';
import { Actor, openWord, When } from '../parts/bits';
import { type Column, PageTable } from '../parts/PageTable';
import { Pre } from '../parts/Scroll';
import { useText } from '../text';

export function Timeline({ id }: { id: string }) {
  const { t, language } = useText();
  const did = (row: AuditBody) => openWord(t, 'did', row.action);
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
    { key: 'action', title: t('audit.action'), text: did },
    { key: 'reason', title: t('col.reason'), text: (row) => row.reason },
  ];
  return (
    <PageTable<AuditBody>
      queryKey={activityKeys.timeline(id)}
      fetch={read((signal, page) =>
        api.GET('/activities/{id}/timeline', { params: { path: { id }, query: page }, signal }),
      )}
      columns={columns}
      rowKey={(row) => row.id}
      file="timeline.csv"
      empty={t('time.none')}
      refreshMs={15_000}
      detail={(row) => (
        <div className="two">
          <div>
            <h3>{t('time.before')}</h3>
            <Pre>{JSON.stringify(row.before, null, 2)}</Pre>
          </div>
          <div>
            <h3>{t('time.after')}</h3>
            <Pre>{JSON.stringify(row.after, null, 2)}</Pre>
          </div>
        </div>
      )}
    />
  );
}
