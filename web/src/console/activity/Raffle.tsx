// The steps of a raffle: entries, the roll, the beacon, the drawing.

import { useQuery } from '@tanstack/react-query';
import { Steps } from 'antd';
import { API_ROOT, api, ask, read } from '../../api/client';
import type { DetailBody, RaffleStateBody } from '../../api/wire';
import { formatNumber } from '../../i18n';
import { activityKeys } from '../keys';
import { Act } from '../parts/Act';
import { When } from '../parts/bits';
import { Copy } from '../parts/Copy';
import { Scroll } from '../parts/Scroll';
import { Read } from '../parts/states';
import { useMay } from '../session/session';
import { useText, type Word } from '../text';

export function Raffle({ detail }: { detail: DetailBody }) {
  const query = useQuery({
    queryKey: activityKeys.raffle(detail.id),
    queryFn: read((signal) =>
      api.GET('/play/activities/{id}/raffle', { params: { path: { id: detail.id } }, signal }),
    ),
    refetchInterval: 5000,
  });
  return <Read from={query}>{(raffle) => <Stand raffle={raffle} id={detail.id} />}</Read>;
}

function Stand({ raffle, id }: { raffle: RaffleStateBody; id: string }) {
  const { t, language } = useText();
  const may = useMay();
  const counted = (key: Word, count: number) => t(key, { count, number: formatNumber(count, language) });
  const drawn = raffle.drawn_at_ms != null;
  const needsBeacon = raffle.beacon != null && raffle.beacon_value == null;
  const current = drawn ? 3 : raffle.roll ? (needsBeacon ? 2 : 3) : 0;
  return (
    <>
      <Steps
        size="small"
        className="gap-bottom"
        current={current}
        items={(['raffle.entering', 'raffle.roll', 'raffle.beacon', 'raffle.drawn'] as const).map((word) => ({
          title: t(word),
        }))}
      />
      <section className="panel">
        <dl className="facts">
          <dt>{t('basics.drawAt')}</dt>
          <dd>
            <When ms={raffle.draw_at_ms} />
          </dd>
          <dt>{t('proof.commitment')}</dt>
          <dd>
            <code>{raffle.commitment}</code> <Copy text={raffle.commitment} />
          </dd>
          <dt>{t('raffle.roll')}</dt>
          <dd>
            {raffle.roll ? (
              <>
                <code>{raffle.roll.hash}</code>{' '}
                <a href={`${API_ROOT}/play/activities/${id}/raffle/roll`} download>
                  {t('raffle.download')}
                </a>
                <br />
                {[
                  counted('raffle.people', raffle.roll.entrants),
                  counted('dash.entries', raffle.roll.entries),
                ].join(' · ')}
              </>
            ) : (
              t('raffle.noRoll')
            )}
          </dd>
          <dt>{t('raffle.beacon')}</dt>
          <dd>
            {raffle.beacon ?? t('raffle.noBeacon')}
            {raffle.beacon_value != null && (
              <>
                {' '}
                = <code>{raffle.beacon_value}</code>
              </>
            )}
            {needsBeacon && raffle.roll && may('runActivities') && (
              <div className="gap-top">
                <Act
                  primary
                  label={t('raffle.tell')}
                  says={t('raffle.tellSays')}
                  fields={[{ name: 'value', label: t('raffle.value') }]}
                  run={(values) =>
                    ask((signal) =>
                      api.POST('/activities/{id}/raffle/beacon', {
                        params: { path: { id } },
                        body: { value: values.value, round: raffle.round },
                        signal,
                      }),
                    )
                  }
                  refresh={[activityKeys.raffle(id)]}
                  done={t('saved')}
                />
              </div>
            )}
          </dd>
          <dt>{t('raffle.drawn')}</dt>
          <dd>{drawn ? <When ms={raffle.drawn_at_ms} /> : t('raffle.notDrawn')}</dd>
        </dl>
      </section>
      {raffle.winners.length > 0 && (
        <Scroll className="panel scroll">
          <h2 className="section-title">{t('raffle.winners', { n: raffle.winner_count })}</h2>
          <table className="plain-table">
            <tbody>
              {raffle.winners.map((winner, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes, and names are masked
                <tr key={at}>
                  <th scope="row">{winner.prize.name}</th>
                  <td>{winner.name}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </Scroll>
      )}
    </>
  );
}
