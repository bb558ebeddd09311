// Everything a version changes, for whoever decides it: each field by its name, who may take part before and after, what
// it costs at most, codes that are missing, and a simulation.

import { useQuery } from '@tanstack/react-query';
import { Alert } from 'antd';
import { Link } from 'react-router';
import { api, read } from '../../api/client';
import type { DetailBody, DiffBody } from '../../api/wire';
import { formatMoment, formatZone } from '../../i18n';
import { activityKeys } from '../keys';
import { fieldLabel, fieldValue, type Reading } from '../logic/changes';
import { draftOf } from '../logic/draft';
import { money } from '../parts/bits';
import { Shortages } from '../parts/CodesLeft';
import { HOME_ZONE } from '../parts/MomentInput';
import { Scroll } from '../parts/Scroll';
import { Nothing, Read } from '../parts/states';
import { Tile } from '../parts/Tile';
import { useMay } from '../session/session';
import { useText } from '../text';
import { Simulation } from './Simulation';

/** The parts of chances, where a version does not say. */
const WHOLE = 1_000_000;

export function Diff({ detail, number }: { detail: DetailBody; number: number }) {
  const { id } = detail;
  const may = useMay();
  const edition = detail.draft?.edition ?? 0;
  const query = useQuery({
    queryKey: activityKeys.diff(id, number, edition),
    queryFn: read((signal) =>
      api.GET('/activities/{id}/versions/{number}/diff', { params: { path: { id, number } }, signal }),
    ),
  });
  const version = [detail.making, detail.live].find((one) => one?.version === number);
  const tries = may('writeActivities') || may('decideActivities');
  return (
    <Read from={query}>
      {(diff) => (
        <>
          <Weight diff={diff} sells={detail.kind !== 'instant'} />
          <Tree diff={diff} />
          <Changes diff={diff} whole={version?.form.whole ?? WHOLE} />
          {version && detail.kind === 'instant' && tries && <Simulation draft={draftOf(version.form)} />}
        </>
      )}
    </Read>
  );
}

/** What it can cost, and codes that are not there. */
function Weight({ diff, sells }: { diff: DiffBody; sells: boolean }) {
  const { t, language } = useText();
  const { cost_minor: cost, bound } = diff.worst_case;
  return (
    <>
      {!sells && (
        <dl className="tiles">
          <Tile
            label={t('review.worst')}
            value={cost == null ? t('review.nothing') : money(cost, language)}
            note={t(`review.worst.${bound}`)}
            bad={bound === 'nothing'}
          />
        </dl>
      )}
      {diff.codes.length > 0 && (
        <Alert
          className="gap-bottom"
          type="warning"
          showIcon
          title={t('att.short')}
          description={<Shortages codes={diff.codes} />}
        />
      )}
    </>
  );
}

/** The tree is what is pointed to: its versions are part of the change. */
function Tree({ diff }: { diff: DiffBody }) {
  const { t } = useText();
  const { tree, tree_before: before } = diff;
  if (!tree) return null;
  const same = before?.id === tree.id;
  const moved = same && before.version !== tree.version;
  const text = moved
    ? t('review.treeNew', { name: tree.name, before: before.version, after: tree.version })
    : t(same ? 'review.treeSame' : 'review.treeFirst', { name: tree.name, n: tree.version });
  const shown = moved ? [before, tree] : [tree];
  return (
    <Alert
      className="gap-bottom"
      type={moved || !same ? 'warning' : 'info'}
      showIcon
      title={t('review.tree')}
      description={
        <>
          <p>{text}</p>
          {tree.newest > tree.version && <p>{t('review.treeNewer', { n: tree.newest })}</p>}
          <p className="row">
            {shown.map((one) => (
              <Link key={one.version} to={`/trees/${one.id}?version=${one.version}`}>
                {t('review.treeShow', { n: one.version })}
              </Link>
            ))}
          </p>
        </>
      }
    />
  );
}

function Changes({ diff, whole }: { diff: DiffBody; whole: number }) {
  const { t, language } = useText();
  if (diff.changes.length === 0) return <Nothing text={t('review.same')} />;
  const reading: Reading = {
    t,
    language,
    names: diff.names,
    whole,
    money: (minor) => money(minor, language),
    moment: (ms) => formatMoment(ms, language),
  };
  return (
    <>
      <p className="soft fine">{t('review.zone', { zone: formatZone(HOME_ZONE, language) })}</p>
      <Scroll className="scroll">
        <table className="plain-table diff">
          <thead>
            <tr>
              <th>{t('review.field')}</th>
              {diff.before != null && <th>{t('review.before', { n: diff.before })}</th>}
              <th>{t('review.after', { n: diff.version.version })}</th>
            </tr>
          </thead>
          <tbody>
            {diff.changes.map(({ field, before, after }) => (
              <tr key={field}>
                <th scope="row">{fieldLabel(field, reading)}</th>
                {diff.before != null && (
                  <td>{before == null ? '—' : <del>{fieldValue(field, before, reading)}</del>}</td>
                )}
                <td>{after == null ? '—' : <ins>{fieldValue(field, after, reading)}</ins>}</td>
              </tr>
            ))}
          </tbody>
        </table>
        {diff.stock.length > 0 && (
          <ul className="flaws">
            {diff.stock.map((stock) => (
              <li key={stock.field}>
                <strong>{fieldLabel(stock.field, reading)}</strong> {stock.text}
              </li>
            ))}
          </ul>
        )}
      </Scroll>
    </>
  );
}
