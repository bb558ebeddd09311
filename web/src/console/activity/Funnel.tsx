// How far people got in a campaign: each step with its bar, and its part of the step before.
import { useQuery } from '@tanstack/react-query';
import { api, read } from '../../api/client';
import type { CampaignFunnelBody } from '../../api/wire';
import { activityKeys } from '../keys';
import { funnelRows } from '../logic/statistics';
import { About, Share } from '../parts/figures';
import { Scroll } from '../parts/Scroll';
import { Read } from '../parts/states';
import { useText } from '../text';

/** What is counted as it happens is written once a minute. */
const FUNNEL_EVERY_MS = 30_000;

export function Funnel({ id, over }: { id: string; over: boolean }) {
  const { t } = useText();
  const funnel = useQuery({
    queryKey: activityKeys.funnel(id),
    queryFn: read((signal) => api.GET('/activities/{id}/funnel', { params: { path: { id } }, signal })),
    refetchInterval: over ? false : FUNNEL_EVERY_MS,
  });
  return (
    <Scroll className="panel scroll gap-bottom">
      <h2 className="section-title">{t('funnel.title')}</h2>
      <Read from={funnel}>{(data) => <Steps funnel={data} />}</Read>
    </Scroll>
  );
}

function Steps({ funnel }: { funnel: CampaignFunnelBody }) {
  const { t } = useText();
  return (
    <>
      <table className="plain-table" data-testid="funnel">
        <thead>
          <tr>
            <th>{t('funnel.step')}</th>
            <th className="right">{t('funnel.count')}</th>
            <th className="right">{t('funnel.ofBefore')}</th>
          </tr>
        </thead>
        <tbody>
          {funnelRows(funnel.steps).map((row) => (
            <tr key={row.step}>
              <th scope="row">
                {t(`funnel.${row.step}`)}
                {row.count > 0 && <span className="bar" style={{ width: `${100 * row.width}%` }} />}
              </th>
              <td className="right">
                <About n={row.count} exact={row.exact} />
              </td>
              <td className="right">
                <Share of={row.share} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="fine soft">{t('funnel.says')}</p>
    </>
  );
}
