import { useQuery } from '@tanstack/react-query';
import { API_ROOT, api, read } from '../../api/client';
import { activityKeys } from '../keys';
import { Short, When } from '../parts/bits';
import { Copy } from '../parts/Copy';
import { PlainTable } from '../parts/PlainTable';
import { Read } from '../parts/states';
import { useText } from '../text';

/** What was published before the first draw, and the export that anybody can replay. */
export function Proof({ id }: { id: string }) {
  const { t } = useText();
  const query = useQuery({
    queryKey: activityKeys.secrets(id),
    queryFn: read((signal) => api.GET('/activities/{id}/secrets', { params: { path: { id } }, signal })),
  });
  const command = `curl -fo export.txt ${location.origin}${API_ROOT}/activities/${id}/export && windfall verify --file export.txt`;
  return (
    <>
      <section className="panel">
        <p>{t('proof.help')}</p>
        <p className="row">
          <a href={`${API_ROOT}/activities/${id}/export`} download={`activity-${id}.txt`}>
            {t('proof.export')}
          </a>
          <Copy text={command} label={t('proof.command')} />
        </p>
        <pre>{command}</pre>
      </section>
      <Read from={query}>
        {(secrets) => (
          <PlainTable
            heads={[
              t('act.round'),
              t('review.version'),
              t('proof.commitment'),
              t('review.hash'),
              t('proof.made'),
              t('proof.secret'),
            ]}
          >
            {secrets.items.map((row) => (
              <tr key={`${row.round} ${row.version}`}>
                <td>{row.round}</td>
                <td>{row.version}</td>
                <td>
                  <Short text={row.commitment} length={16} /> <Copy text={row.commitment} />
                </td>
                <td>
                  <Short text={row.strategy_hash} length={16} /> <Copy text={row.strategy_hash} />
                </td>
                <td>
                  <When ms={row.made_at_ms} />
                </td>
                <td>
                  {row.secret ? (
                    <>
                      <Short text={row.secret} length={16} /> <Copy text={row.secret} />
                    </>
                  ) : (
                    t('proof.later')
                  )}
                </td>
              </tr>
            ))}
          </PlainTable>
        )}
      </Read>
    </>
  );
}
