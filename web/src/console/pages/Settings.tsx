// The switch for everything, and whether the parts are well.

import { useQuery } from '@tanstack/react-query';
import { Alert } from 'antd';
import { api, insist } from '../../api/client';
import { siteKeys } from '../keys';
import { Act, reasonField } from '../parts/Act';
import { openWord, State, Title } from '../parts/bits';
import { HaltedBy, useHalt } from '../parts/HaltBanner';
import { Read } from '../parts/states';
import { useMay } from '../session/session';
import { useText } from '../text';

interface Ready {
  ready: boolean;
  parts: Record<string, string>;
}

/** Not a part of the API: what load balancers ask. Its 503 is an answer too. */
async function readiness(signal: AbortSignal): Promise<Ready> {
  const response = await fetch('/readyz', { headers: { Accept: 'application/json' }, signal });
  return (await response.json()) as Ready;
}

export default function Settings() {
  const { t } = useText();
  const may = useMay();
  const halt = useHalt();
  const ready = useQuery({
    queryKey: siteKeys.ready,
    queryFn: ({ signal }) => readiness(signal),
    refetchInterval: 10_000,
  });
  const turn = (on: boolean, reason: string, once: string) =>
    insist((signal) =>
      api.POST('/admin/halt', {
        params: { header: { 'Idempotency-Key': once } },
        body: { on, reason },
        signal,
      }),
    );
  return (
    <>
      <Title>{t('nav.settings')}</Title>
      <div className="two">
        <section className="panel">
          <h2 className="section-title">{t('halt.title')}</h2>
          <p className="soft">{t('halt.help')}</p>
          <Read from={halt}>
            {({ on, ...halt }) => (
              <>
                <Alert
                  className="gap-bottom"
                  type={on ? 'error' : 'success'}
                  showIcon
                  title={t(on ? 'halt.banner' : 'halt.offNow')}
                  description={on && <HaltedBy halt={{ on, ...halt }} />}
                />
                {on
                  ? may('letGoOn') && (
                      <Act
                        primary
                        label={t('halt.goOn')}
                        says={t('halt.goOnSays')}
                        fields={[reasonField(t)]}
                        refresh={[siteKeys.halt]}
                        done={t('saved')}
                        run={(values, once) => turn(false, values.reason, once)}
                      />
                    )
                  : may('halt') && (
                      <Act
                        danger
                        label={t('halt.stop')}
                        says={t('halt.stopSays')}
                        fields={[reasonField(t)]}
                        refresh={[siteKeys.halt]}
                        done={t('saved')}
                        run={(values, once) => turn(true, values.reason, once)}
                      />
                    )}
              </>
            )}
          </Read>
        </section>
        <section className="panel">
          <h2 className="section-title">{t('health.title')}</h2>
          <Read from={ready}>
            {(told) => (
              <>
                <Alert
                  className="gap-bottom"
                  type={told.ready ? 'success' : 'error'}
                  showIcon
                  title={t(told.ready ? 'health.ready' : 'health.unready')}
                />
                <dl className="facts">
                  {Object.entries(told.parts).map(([name, state]) => (
                    <div key={name} className="contents">
                      <dt>{openWord(t, 'part', name)}</dt>
                      <dd>{state === 'ok' ? <State name="on" /> : <span className="wrong">{state}</span>}</dd>
                    </div>
                  ))}
                </dl>
              </>
            )}
          </Read>
          <p className="soft fine">{t('health.more')}</p>
        </section>
      </div>
    </>
  );
}
