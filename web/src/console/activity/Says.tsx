// What an activity says, read only: the version in place, the one in the making, or any that was before.

import { useQuery } from '@tanstack/react-query';
import { Select } from 'antd';
import { useState } from 'react';
import { Link } from 'react-router';
import { api, read } from '../../api/client';
import type { DetailBody, VersionBody } from '../../api/wire';
import { formatNumber } from '../../i18n';
import { activityKeys } from '../keys';
import { type Draft, draftOf } from '../logic/draft';
import { left, percent } from '../logic/odds';
import { Money, When } from '../parts/bits';
import { Scroll } from '../parts/Scroll';
import { Nothing, Read } from '../parts/states';
import { useMay } from '../session/session';
import { useText } from '../text';
import { GamePreview } from './GamePreview';
import { SaleFacts } from './SaleFacts';
import { Simulation } from './Simulation';

export function Says({ detail }: { detail: DetailBody }) {
  const { t } = useText();
  const { live, making } = detail;
  const newest = making?.version ?? live?.version ?? 0;
  const [number, setNumber] = useState(newest);
  if (newest === 0) return <Nothing />;
  const label = (n: number) =>
    n === making?.version
      ? t('says.making', { n })
      : n === live?.version
        ? t('says.live', { n })
        : t('says.older', { n });
  const known = [making, live].find((version) => version?.version === number);
  return (
    <>
      {newest > 1 && (
        <Select
          className="gap-bottom version-choice"
          value={number}
          aria-label={t('review.version')}
          onChange={setNumber}
          options={Array.from({ length: newest }, (_, before) => newest - before).map((n) => ({
            value: n,
            label: label(n),
          }))}
        />
      )}
      {known ? (
        <Form version={known} key={`${known.version} ${known.edition}`} />
      ) : (
        <Older id={detail.id} number={number} key={number} />
      )}
    </>
  );
}

/** A version that was, as it was: published versions never change. */
function Older({ id, number }: { id: string; number: number }) {
  const query = useQuery({
    queryKey: activityKeys.version(id, number),
    queryFn: read((signal) =>
      api.GET('/activities/{id}/versions/{number}', { params: { path: { id, number } }, signal }),
    ),
  });
  return <Read from={query}>{(version) => <Form version={version} />}</Read>;
}

function Form({ version }: { version: VersionBody }) {
  const draft = draftOf(version.form);
  if (draft.kind === 'sale')
    return (
      <section className="panel">
        <SaleFacts draft={draft} />
      </section>
    );
  return <Draws draft={draft} />;
}

function Draws({ draft }: { draft: Draft }) {
  const { t, language } = useText();
  const may = useMay();
  const raffle = draft.kind === 'raffle';
  const name = (id: number) => draft.prizes.find((prize) => prize.id === id)?.name ?? String(id);
  const slices = draft.prizes.map((prize) => ({ odds: prize.odds ?? 0, locked: false }));
  const n = (value: number | null) => (value === null ? t('unlimited') : formatNumber(value, language));
  return (
    <>
      <div className="odds-page">
        <section className="panel">
          {draft.description && <p>{draft.description}</p>}
          <dl className="facts">
            <dt>{t('act.window')}</dt>
            <dd>
              <When ms={draft.from} /> – <When ms={draft.until} /> ({draft.zone})
            </dd>
            <dt>{t('basics.chances')}</dt>
            <dd>
              {t('says.chances', {
                total: n(draft.chances.total),
                month: n(draft.chances.month),
                day: n(draft.chances.day),
              })}
            </dd>
            {draft.entries !== null && (
              <>
                <dt>{t('basics.entries')}</dt>
                <dd>{n(draft.entries)}</dd>
              </>
            )}
            {draft.tree && (
              <>
                <dt>{t('basics.tree')}</dt>
                <dd>
                  <Link to={`/trees/${draft.tree}`}>{draft.tree}</Link>
                </dd>
              </>
            )}
            {draft.drawAt !== null && (
              <>
                <dt>{t('basics.drawAt')}</dt>
                <dd>
                  <When ms={draft.drawAt} />
                </dd>
              </>
            )}
            {!raffle && (
              <>
                <dt>{t('odds.mode')}</dt>
                <dd>{t(`odds.${draft.mode}`)}</dd>
              </>
            )}
            {draft.fallback && (
              <>
                <dt>{t('rules.fallback')}</dt>
                <dd>
                  {name(draft.fallback.prize)}: {n(draft.fallback.min)}–{n(draft.fallback.max)} (
                  {t('rules.budget')} {n(draft.fallback.budget)})
                </dd>
              </>
            )}
            {draft.pity && (
              <>
                <dt>{t('rules.pity')}</dt>
                <dd>{t('says.pity', { name: name(draft.pity.prize), count: draft.pity.misses })}</dd>
              </>
            )}
            {draft.consolation !== null && (
              <>
                <dt>{t('rules.consolation')}</dt>
                <dd>{name(draft.consolation)}</dd>
              </>
            )}
            {(draft.budgetTotal !== null || draft.budgetDay !== null) && (
              <>
                <dt>{t('pacing.budget')}</dt>
                <dd>
                  {draft.budgetTotal === null ? t('unlimited') : <Money minor={draft.budgetTotal} />} (
                  {t('pacing.day')}:{' '}
                  {draft.budgetDay === null ? t('unlimited') : <Money minor={draft.budgetDay} />})
                </dd>
              </>
            )}
          </dl>
        </section>
        {!raffle && (
          <section className="panel centre-text">
            <GamePreview draft={draft} />
          </section>
        )}
      </div>
      <Scroll className="panel scroll">
        <table className="plain-table">
          <thead>
            <tr>
              <th>{t('odds.prize')}</th>
              <th>{t('col.kind')}</th>
              {!raffle && <th className="right">{t('odds.share')}</th>}
              <th className="right">{t('prize.units')}</th>
              {!raffle && <th className="right">{t('prize.cost')}</th>}
              <th>{t('says.rules')}</th>
            </tr>
          </thead>
          <tbody>
            {draft.prizes.map((prize) => (
              <tr key={prize.id}>
                <th scope="row">
                  {prize.picture.startsWith('http') ? '' : prize.picture} {prize.name}
                </th>
                <td>
                  {t(`kind.${prize.kind}`)}
                  {prize.amount !== null && ` × ${n(prize.amount)}`}
                </td>
                {!raffle && (
                  <td className="right number">
                    {prize.odds === null ? t('odds.ruleOnly') : `${percent(prize.odds, draft.whole)} %`}
                  </td>
                )}
                <td className="right number">{prize.unlimited ? t('unlimited') : n(prize.units)}</td>
                {!raffle && (
                  <td className="right">
                    <Money minor={prize.costMinor} />
                  </td>
                )}
                <td>
                  {[
                    prize.winCap !== null && `${t('rules.winCap')} ${prize.winCap}`,
                    prize.unlock && `${t('rules.unlock')} ${prize.unlock.draws}`,
                    prize.hourlyCap !== null && `${t('pacing.hourly')} ${prize.hourlyCap}`,
                    prize.release.length > 0 && `${t('pacing.release')} ×${prize.release.length}`,
                    prize.claimWithin && `${t('prize.claimWithin')} ${prize.claimWithin}`,
                    prize.grant !== 'now' &&
                      t(`grant.${typeof prize.grant === 'number' ? 'at' : prize.grant}`),
                  ]
                    .filter(Boolean)
                    .join(' · ') || '—'}
                </td>
              </tr>
            ))}
            {!raffle && (
              <tr>
                <th scope="row">{t('odds.none')}</th>
                <td />
                <td className="right number">
                  {percent(Math.max(0, left(slices, draft.whole)), draft.whole)} %
                </td>
                <td colSpan={3} />
              </tr>
            )}
          </tbody>
        </table>
      </Scroll>
      {!raffle && may('writeActivities') && <Simulation draft={draft} />}
    </>
  );
}
