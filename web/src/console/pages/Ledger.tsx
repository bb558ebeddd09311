// How far the database is behind the ledger, what the audits found, and an audit by hand.

import { useQuery } from '@tanstack/react-query';
import { Alert } from 'antd';
import { api, ask, read } from '../../api/client';
import type { AuditPassBody } from '../../api/wire';
import { formatNumber } from '../../i18n';
import { siteKeys } from '../keys';
import { Act, reasonField } from '../parts/Act';
import { openWord, Title, When } from '../parts/bits';
import { Scroll } from '../parts/Scroll';
import { Read } from '../parts/states';
import { Tile } from '../parts/Tile';
import { useMay } from '../session/session';
import { useText } from '../text';

/** Whole seconds, as a number for people. */
function seconds(ms: number, language: Parameters<typeof formatNumber>[1]): string {
  return formatNumber(Math.round(ms / 1000), language);
}

export default function Ledger() {
  const { t, language } = useText();
  const may = useMay();
  const query = useQuery({
    queryKey: siteKeys.ledger,
    queryFn: read((signal) => api.GET('/admin/ledger', { signal })),
    refetchInterval: 3000,
  });
  return (
    <>
      <Title
        extra={
          may('reconcile') && (
            <>
              <Act
                primary
                label={t('ledger.audit')}
                says={t('ledger.auditSays')}
                refresh={[siteKeys.ledger]}
                done={t('ledger.asked')}
                run={() =>
                  ask((signal) =>
                    api.POST('/admin/ledger/reconcile', { body: { fix: false, reason: '' }, signal }),
                  )
                }
              />
              <Act
                danger
                label={t('ledger.fix')}
                says={t('ledger.fixSays')}
                fields={[reasonField(t)]}
                refresh={[siteKeys.ledger]}
                done={t('ledger.asked')}
                run={(values) =>
                  ask((signal) =>
                    api.POST('/admin/ledger/reconcile', {
                      body: { fix: true, reason: values.reason },
                      signal,
                    }),
                  )
                }
              />
            </>
          )
        }
      >
        {t('nav.ledger')}
      </Title>
      <Read from={query}>
        {(ledger) => (
          <>
            {ledger.trouble && <Alert className="gap-bottom" type="error" showIcon title={ledger.trouble} />}
            {ledger.clock.behind_ms > 0 && (
              <Alert
                className="gap-bottom"
                type="error"
                showIcon
                title={t('ledger.clockBehind', { n: seconds(ledger.clock.behind_ms, language) })}
                description={t('ledger.clockBehindSays')}
              />
            )}
            {ledger.clock.put_back_ms > 0 && (
              <Alert
                className="gap-bottom"
                type="warning"
                showIcon
                title={t('ledger.clockPutBack', { n: seconds(ledger.clock.put_back_ms, language) })}
                description={t('ledger.clockPutBackSays')}
              />
            )}
            <dl className="tiles">
              <Tile
                label={t('run.lag')}
                value={formatNumber(ledger.lag, language)}
                bad={ledger.lag > 100_000}
              />
              <Tile label={t('ledger.durable')} value={ledger.durable} />
              <Tile label={t('ledger.projected')} value={ledger.projected} />
              <Tile
                label={t('ledger.differences')}
                value={formatNumber(ledger.differences, language)}
                bad={ledger.differences > 0}
              />
            </dl>
            <div className="two">
              <Pass title={t('ledger.last')} pass={ledger.last_audit} />
              <Pass title={t('ledger.byHand')} pass={ledger.asked_audit} />
            </div>
          </>
        )}
      </Read>
    </>
  );
}

function Pass({ title, pass }: { title: string; pass: AuditPassBody | null | undefined }) {
  const { t, language } = useText();
  return (
    <section className="panel">
      <h2 className="section-title">{title}</h2>
      {!pass ? (
        <p className="soft">{t('ledger.never')}</p>
      ) : (
        <>
          <dl className="facts">
            <dt>{t('ledger.number')}</dt>
            <dd>{formatNumber(pass.number, language)}</dd>
            <dt>{t('jobs.started')}</dt>
            <dd>
              <When ms={pass.started_ms} />
            </dd>
            <dt>{t('ledger.finished')}</dt>
            <dd>
              {pass.gave_up ? (
                <span className="wrong">{pass.gave_up}</span>
              ) : pass.finished_ms ? (
                <When ms={pass.finished_ms} />
              ) : (
                t('ledger.underWay')
              )}
            </dd>
            <dt>{t('ledger.checked')}</dt>
            <dd>
              {Object.entries(pass.checked)
                .map(([what, n]) => `${openWord(t, 'checked', what)} ${formatNumber(n, language)}`)
                .join(' · ') || '—'}
            </dd>
            <dt>{t('ledger.found')}</dt>
            <dd className={pass.found > 0 ? 'wrong' : ''}>
              {formatNumber(pass.found, language)}
              {pass.corrected > 0 && ` · ${t('ledger.corrected', { n: pass.corrected })}`}
            </dd>
          </dl>
          {pass.differences.length > 0 && (
            <Scroll className="scroll gap-top">
              <table className="plain-table">
                <thead>
                  <tr>
                    <th>{t('ledger.what')}</th>
                    <th>{t('ledger.row')}</th>
                    <th>{t('ledger.ledgerSays')}</th>
                    <th>{t('ledger.databaseSays')}</th>
                  </tr>
                </thead>
                <tbody>
                  {pass.differences.map((one) => (
                    <tr key={`${one.what} ${one.row} ${one.owner ?? ''} ${one.hold_key ?? ''}`}>
                      <td>
                        <code>{one.what}</code>
                      </td>
                      <td>{one.row}</td>
                      <td>{one.ledger ?? '—'}</td>
                      <td>{one.database ?? '—'}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </Scroll>
          )}
        </>
      )}
    </section>
  );
}
