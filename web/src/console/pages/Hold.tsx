// One hold by its id: where it stands, of what, and what moved the counters of its pools.
import { useQuery } from '@tanstack/react-query';
import { Link, useSearchParams } from 'react-router';
import { api, ask } from '../../api/client';
import type { HoldBody } from '../../api/wire';
import { formatNumber, useText } from '../../i18n';
import { State, Title, When } from '../parts/bits';
import { Search } from '../parts/Filter';
import { Nothing, Read } from '../parts/states';
import { poolPath } from './Inventory';

/** Ids of holds are their makers' own and may have slashes; as a query they stay readable. */
export const holdPath = (id: string) => `/inventory/hold?id=${encodeURIComponent(id)}`;

export default function Hold() {
  const { t } = useText();
  const [params, setParams] = useSearchParams();
  const id = params.get('id') ?? '';
  return (
    <>
      <Title back={<Link to="/inventory">← {t('nav.inventory')}</Link>}>{t('hold.title')}</Title>
      <div className="row gap-bottom">
        <Search label={t('hold.id')} value={id} change={(text) => setParams(text ? { id: text } : {})} />
      </div>
      {id ? <Found id={id} key={id} /> : <Nothing text={t('hold.ask')} />}
    </>
  );
}

function Found({ id }: { id: string }) {
  const query = useQuery({
    queryKey: ['hold', id],
    queryFn: () => ask((signal) => api.GET('/inventory/holds/{id}', { params: { path: { id } }, signal })),
  });
  return <Read from={query}>{(hold) => <Life hold={hold} />}</Read>;
}

function Life({ hold }: { hold: HoldBody }) {
  const { t, language } = useText();
  return (
    <section className="panel">
      <h2 className="section-title">
        <code>{hold.id}</code> <State name={hold.state} />
      </h2>
      <p className="soft">{t(`hold.${hold.state}`)}</p>
      <dl className="facts">
        <dt>{t('hold.made')}</dt>
        <dd>
          <When ms={hold.made_ms} />
        </dd>
        <dt>{t('hold.due')}</dt>
        <dd>
          <When ms={hold.due_ms} />
        </dd>
      </dl>
      <table className="plain-table">
        <thead>
          <tr>
            <th>{t('hold.pool')}</th>
            <th className="right">{t('hold.units')}</th>
          </tr>
        </thead>
        <tbody>
          {hold.lines.map((line, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a pool has no name for a moment after a restart
            <tr key={at}>
              <td>{line.pool ? <Link to={poolPath(line.pool)}>{line.pool}</Link> : '…'}</td>
              <td className="right number">{formatNumber(line.quantity, language)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
