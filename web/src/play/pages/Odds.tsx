// What you see is what there is: odds, rules, and what was published before the first draw.
import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import type { OddsBody, PlayBody, PlayPrizeBody } from '../../api/wire';
import { formatMoment, formatNumber, formatShort, formatZone } from '../../i18n';
import { serverNow } from '../../time/clock';
import { Head } from '../parts/Head';
import { MISS, Picture } from '../parts/Picture';
import { Failed, Loading } from '../parts/states';
import { activityRead } from '../reads';
import { useText } from '../text';

export default function Odds() {
  const { id = '' } = useParams();
  const { data, error, isPending, refetch } = useQuery(activityRead(id));
  if (isPending) return <Loading />;
  if (!data) return <Failed error={error} retry={() => void refetch()} />;
  return <Page activity={data} />;
}

function Page({ activity }: { activity: PlayBody }) {
  const { t, language } = useText();
  const { odds, prizes, chances } = activity;
  const zone = formatZone(activity.zone, language);
  return (
    <>
      <Head title={t('odds.title')} back={`/activities/${activity.id}`} />
      <p className="lead">{activity.name}</p>
      {odds?.tables.map((table, place) => (
        <section className="section" key={table.from}>
          {odds.tables.length > 1 && (
            <h2>
              {place === 0
                ? t('odds.tierFirst')
                : t(`odds.tier.${table.by}`, { from: formatNumber(table.from, language) })}
            </h2>
          )}
          <Table odds={odds} table={table} prizes={prizes} />
        </section>
      ))}
      {!odds && (
        <section className="section">
          <ul className="winners">
            {prizes.map((prize) => (
              <li key={prize.id}>
                <Picture prize={prize} size={28} />
                <b>{prize.name}</b>
                <span>×{formatNumber(prize.units ?? 1, language)}</span>
              </li>
            ))}
          </ul>
          <p className="quiet">{t('odds.raffle')}</p>
        </section>
      )}
      <section className="section">
        <h2>{t('odds.rules')}</h2>
        <ul className="rules">
          <li>
            {t('rule.window', {
              from: formatMoment(activity.from_ms, language),
              until: formatMoment(activity.until_ms, language),
            })}
          </li>
          <li>{t('rule.total', { count: chances.total })}</li>
          {chances.month != null && <li>{t('rule.month', { count: chances.month, zone })}</li>}
          {chances.day != null && <li>{t('rule.day', { count: chances.day, zone })}</li>}
          {odds && <li>{t(`rule.mode.${odds.mode}`)}</li>}
          {odds?.pity && (
            <li>{t('rule.pity', { count: odds.pity.misses, prize: nameOf(prizes, odds.pity.prize) })}</li>
          )}
          {odds?.fallback && (
            <li>
              {t('rule.fallback', {
                prize: nameOf(prizes, odds.fallback.prize),
                min: odds.fallback.amount_min,
                max: odds.fallback.amount_max,
                budget: formatNumber(odds.fallback.budget_amount, language),
              })}
            </li>
          )}
          {odds?.budget_total && <li>{t('rule.budgetTotal')}</li>}
          {odds?.budget_day && <li>{t('rule.budgetDay', { zone })}</li>}
          {prizes.some(({ release = [] }) => release.length > 0) && <li>{t('rule.release')}</li>}
          {prizes.some(({ hourly_cap }) => hourly_cap != null) && <li>{t('rule.hourly')}</li>}
          {prizes.some(({ labelled }) => labelled) && <li>{t('rule.labelled')}</li>}
          {odds?.tables.some(({ by }) => by === 'points_spent') && <li>{t('rule.pointsSpent')}</li>}
          {activity.raffle && (
            <li>{t('rule.raffle', { when: formatMoment(activity.raffle.draw_at_ms, language) })}</li>
          )}
          {activity.tree && <li>{t('rule.tree')}</li>}
        </ul>
      </section>
      <section className="section">
        <h2>{t('fair.title')}</h2>
        <p className="quiet">{t('fair.before')}</p>
        <dl className="hashes">
          <dt>{t('fair.commitment')}</dt>
          <dd>{activity.commitment}</dd>
          {activity.strategy_hash && (
            <>
              <dt>{t('fair.strategyHash')}</dt>
              <dd>{activity.strategy_hash}</dd>
            </>
          )}
          {activity.tree && (
            <>
              <dt>{t('fair.treeHash')}</dt>
              <dd>{activity.tree.hash}</dd>
            </>
          )}
        </dl>
      </section>
    </>
  );
}

function nameOf(prizes: PlayPrizeBody[], id: number): string {
  return prizes.find((prize) => prize.id === id)?.name ?? String(id);
}

interface TableProps {
  odds: OddsBody;
  table: OddsBody['tables'][number];
  prizes: PlayPrizeBody[];
}

function Table({ odds, table, prizes }: TableProps) {
  const { t } = useText();
  return (
    <table className="odds">
      <thead>
        <tr>
          <th scope="col">{t('odds.prize')}</th>
          <th scope="col" className="number">
            {t('odds.chance')}
          </th>
        </tr>
      </thead>
      <tbody>
        {table.slices.map((slice) => {
          const prize = prizes.find((one) => one.id === slice.prize);
          if (!prize) return null;
          return (
            <tr key={slice.prize}>
              <th scope="row">
                <Picture prize={prize} size={30} />
                <span>
                  {prize.name}
                  {prize.left === 'none' && <em className="badge bad">{t('odds.gone')}</em>}
                  {prize.unlock && (
                    <em className="badge">
                      {t(`odds.unlock.${prize.unlock.scope}`, { count: prize.unlock.from_draw })}
                    </em>
                  )}
                  {prize.win_cap != null && (
                    <em className="badge">{t('odds.cap', { count: prize.win_cap })}</em>
                  )}
                  <Limits prize={prize} />
                </span>
              </th>
              <Chance parts={slice.odds} whole={odds.whole} percent={slice.percent} />
            </tr>
          );
        })}
        <tr>
          <th scope="row">
            <Picture prize={MISS} size={30} />
            <span>{t('odds.none')}</span>
          </th>
          <Chance parts={table.no_prize} whole={odds.whole} percent={table.no_prize_percent} />
        </tr>
      </tbody>
    </table>
  );
}

/** In per cent as the server writes it, digit by digit, and the parts themselves: what per cent cannot say to its end. */
function Chance({ parts, whole, percent }: { parts: number; whole: number; percent: string }) {
  const { t, language } = useText();
  return (
    <td className="number">
      {percent}%
      <small>
        {t('odds.parts', { parts: formatNumber(parts, language), whole: formatNumber(whole, language) })}
      </small>
    </td>
  );
}

/** What keeps a prize from being given although it is hit: told here, since its odds stay as they are. */
function Limits({ prize }: { prize: PlayPrizeBody }) {
  const { t, language } = useText();
  const { release = [], hourly_cap } = prize;
  const next = release.find(({ from_ms }) => from_ms > serverNow());
  return (
    <>
      {release.length > 0 && (
        <em className="badge">
          {next ? t('odds.releaseNext', { when: formatShort(next.from_ms, language) }) : t('odds.released')}
        </em>
      )}
      {hourly_cap != null && <em className="badge">{t('odds.hourly', { count: hourly_cap })}</em>}
      {prize.budgeted && <em className="badge">{t('odds.budgeted')}</em>}
      {prize.labelled && <em className="badge">{t('odds.labelled')}</em>}
    </>
  );
}
