import { Link, useParams, useSearchParams } from 'react-router';
import type { DetailBody } from '../../api/wire';
import { serverNow } from '../../time/clock';
import { Actor, State, Title, When } from '../parts/bits';
import { Read } from '../parts/states';
import { Tabbed } from '../parts/Tabbed';
import { useText } from '../text';
import { Acts } from './acts';
import { BlockList } from './BlockList';
import { Proof } from './Proof';
import { Raffle } from './Raffle';
import { Review } from './Review';
import { Running } from './Running';
import { SaleRunning } from './SaleRunning';
import { Says } from './Says';
import { Timeline } from './Timeline';
import { useActivity } from './useActivity';

const SOON_MS = 1000;
const LATER_MS = 15_000;

/** The clock starts and ends activities, and others decide about them: what stands here goes on by itself. */
function paceOf({ state, carried, version, from_ms, until_ms, draft }: DetailBody): number | false {
  const now = serverNow();
  const starts = (state === 'approved' || state === 'reopened') && from_ms <= now;
  const ends = (state === 'running' || state === 'paused') && until_ms <= now;
  if ((version && !carried) || starts || ends) return SOON_MS;
  return state === 'closed' && !draft ? false : LATER_MS;
}

/** One activity: how it runs, what it says, who decided what, and what anybody can check. */
export default function Activity() {
  const { id = '' } = useParams();
  const query = useActivity(id, paceOf);
  return <Read from={query}>{(detail) => <Page detail={detail} />}</Read>;
}

function Page({ detail }: { detail: DetailBody }) {
  const { t } = useText();
  const [params, setParams] = useSearchParams();
  const sale = detail.kind === 'sale';
  const waiting = detail.draft?.review === 'in_review';
  const tab = params.get('tab') ?? (waiting ? 'review' : detail.version ? 'run' : 'says');
  return (
    <>
      <Title back={<Link to="/activities">← {t('nav.activities')}</Link>} extra={<Acts detail={detail} />}>
        {detail.name || t('act.unnamed')} <State name={detail.state} />
        {detail.draft && detail.draft.review !== detail.state && <State name={detail.draft.review} />}
      </Title>
      <dl className="facts gap-bottom inline-facts">
        <dt>{t('act.window')}</dt>
        <dd>
          <When ms={detail.from_ms} /> – <When ms={detail.until_ms} />
        </dd>
        {detail.ended_ms != null && (
          <>
            <dt>{t('act.ended')}</dt>
            <dd>
              <When ms={detail.ended_ms} exact />
            </dd>
          </>
        )}
        <dt>{t('col.kind')}</dt>
        <dd>{t(`kind.${detail.kind}`)}</dd>
        <dt>{t('act.round')}</dt>
        <dd>
          {detail.round}
          {detail.version ? ` · ${t('act.version', { n: detail.version })}` : ''}
          {!detail.carried && ` · ${t('act.notCarried')}`}
        </dd>
        <dt>{t('col.made')}</dt>
        <dd>
          <Actor actor={detail.created_by} /> · <When ms={detail.created_at_ms} />
        </dd>
      </dl>
      <Tabbed
        label={t('tab.label')}
        value={tab}
        change={(key) => setParams({ tab: key }, { replace: true, preventScrollReset: true })}
        items={[
          ...(detail.version
            ? [
                {
                  key: 'run',
                  label: t('tab.run'),
                  children: sale ? <SaleRunning detail={detail} /> : <Running detail={detail} />,
                },
              ]
            : []),
          { key: 'says', label: t('tab.says'), children: <Says detail={detail} /> },
          { key: 'review', label: t('tab.review'), children: <Review detail={detail} /> },
          ...(detail.kind === 'raffle' && detail.version
            ? [{ key: 'raffle', label: t('tab.raffle'), children: <Raffle detail={detail} /> }]
            : []),
          { key: 'timeline', label: t('tab.timeline'), children: <Timeline id={detail.id} /> },
          { key: 'block', label: t('tab.block'), children: <BlockList id={detail.id} /> },
          ...(detail.version && !sale
            ? [{ key: 'proof', label: t('tab.proof'), children: <Proof id={detail.id} /> }]
            : []),
        ]}
      />
    </>
  );
}
