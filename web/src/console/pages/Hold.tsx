// One hold by its id: where it stands, of what, and its life: each step with what it moved.

import { useQuery } from '@tanstack/react-query';
import { Link, useSearchParams } from 'react-router';
import { api, read } from '../../api/client';
import type { HoldStoryBody } from '../../api/wire';
import { formatNumber, formatSigned } from '../../i18n';
import { inventoryKeys } from '../keys';
import { State, Title, When, wordFor } from '../parts/bits';
import { Search } from '../parts/Filter';
import { Scroll } from '../parts/Scroll';
import { Nothing, Read } from '../parts/states';
import { useText } from '../text';
import { poolPath } from './Inventory';

/** Ids of holds are their makers' own and may have slashes; as a query they stay readable. */
export const holdPath = (id: string) => `/inventory/hold?id=${encodeURIComponent(id)}`;

export default function Hold() {
  const { t } = useText();
  const [params, setParams] = useSearchParams();
  const id = params.get('id') ?? '';
  return (
    <>
      <Title back={<Link to="/inventory/holds">← {t('hold.all')}</Link>}>{t('hold.title')}</Title>
      <div className="row gap-bottom">
        <Search label={t('hold.id')} value={id} change={(text) => setParams(text ? { id: text } : {})} />
      </div>
      {id ? <Found id={id} key={id} /> : <Nothing text={t('hold.ask')} />}
    </>
  );
}

function Found({ id }: { id: string }) {
  const query = useQuery({
    queryKey: inventoryKeys.hold(id),
    queryFn: read((signal) => api.GET('/inventory/holds/{id}', { params: { path: { id } }, signal })),
  });
  return (
    <Read from={query}>
      {(hold) => (
        <>
          <Now hold={hold} />
          <Life hold={hold} />
        </>
      )}
    </Read>
  );
}

function Now({ hold }: { hold: HoldStoryBody }) {
  const { t, language } = useText();
  return (
    <section className="panel">
      <h2 className="section-title">
        <code>{hold.id}</code> <State name={hold.state} />
      </h2>
      <p className="soft">{t(`hold.${hold.state}`)}</p>
      <dl className="facts">
        {hold.owner && (
          <>
            <dt>{t('hold.owner')}</dt>
            <dd>
              <Link to={`/inventory/holds?owner=${encodeURIComponent(hold.owner)}`}>{hold.owner}</Link>
            </dd>
          </>
        )}
        <dt>{t('hold.made')}</dt>
        <dd>
          <When ms={hold.made_ms} />
        </dd>
        <dt>{t('hold.due')}</dt>
        <dd>
          <When ms={hold.due_ms} />
        </dd>
      </dl>
      {hold.lines.length > 0 && (
        <table className="plain-table">
          <thead>
            <tr>
              <th>{t('hold.pool')}</th>
              <th className="right">{t('hold.units')}</th>
              <th className="right">{t('inv.taken')}</th>
            </tr>
          </thead>
          <tbody>
            {hold.lines.map((line, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a pool has no name for a moment after a restart
              <tr key={at}>
                <td>
                  <PoolName name={line.pool} />
                </td>
                <td className="right number">{formatNumber(line.quantity, language)}</td>
                <td className="right number">{formatNumber(line.taken, language)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

function PoolName({ name }: { name: string | null | undefined }) {
  return name ? <Link to={poolPath(name)}>{name}</Link> : <>…</>;
}

/** From the database, which follows by a moment: a life without a step is still on its way. */
function Life({ hold }: { hold: HoldStoryBody }) {
  const { t, language } = useText();
  return (
    <section>
      <h2>{t('hold.life')}</h2>
      {hold.life.length === 0 ? (
        <Nothing text={t('hold.noLife')} />
      ) : (
        <Scroll className="panel scroll">
          <table className="plain-table" data-testid="life">
            <thead>
              <tr>
                <th>{t('col.at')}</th>
                <th>{t('inv.movement')}</th>
                <th>{t('hold.pool')}</th>
                <th className="right">{t('inv.available')}</th>
                <th className="right">{t('inv.held')}</th>
                <th className="right">{t('inv.taken')}</th>
              </tr>
            </thead>
            <tbody>
              {hold.life.map((step) =>
                (step.moved.length > 0 ? step.moved : [undefined]).map((move, at) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: a pool has no name for a moment after a restart
                  <tr key={`${step.seq} ${at}`}>
                    {at === 0 && (
                      <>
                        <td rowSpan={step.moved.length || 1}>
                          <When ms={step.at_ms} />
                        </td>
                        <td rowSpan={step.moved.length || 1}>
                          {wordFor(t, 'move', step.what)}
                          {step.due_ms != null && (
                            <span className="soft">
                              {' '}
                              {t('hold.until')} <When ms={step.due_ms} />
                            </span>
                          )}
                        </td>
                      </>
                    )}
                    <td>{move ? <PoolName name={move.pool} /> : '—'}</td>
                    {(['available', 'held', 'taken'] as const).map((key) => (
                      <td key={key} className="right number">
                        {move ? formatSigned(move[key], language) : ''}
                      </td>
                    ))}
                  </tr>
                )),
              )}
            </tbody>
          </table>
        </Scroll>
      )}
    </section>
  );
}
