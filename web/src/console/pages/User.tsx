// Everything about one person that helps to answer a question of theirs.

import { useQuery } from '@tanstack/react-query';
import { Alert } from 'antd';
import { Link, useParams, useSearchParams } from 'react-router';
import { api, read } from '../../api/client';
import type { SupportBody } from '../../api/wire';
import { formatNumber } from '../../i18n';
import { userKeys } from '../keys';
import { OrderTable } from '../orders/OrderTable';
import { Count, State, Title, When, wordFor } from '../parts/bits';
import { Copy } from '../parts/Copy';
import { PlainTable } from '../parts/PlainTable';
import { Nothing, Read } from '../parts/states';
import { Tabbed } from '../parts/Tabbed';
import { staffRoles } from '../session/roles';
import { useText } from '../text';
import { UserActs } from './UserActs';
import { UserFacts } from './UserFacts';
import { UserPoints } from './UserPoints';

export default function User() {
  const { id = '' } = useParams();
  const query = useQuery({
    queryKey: userKeys.support(id),
    queryFn: read((signal) => api.GET('/admin/users/{id}/support', { params: { path: { id } }, signal })),
  });
  return <Read from={query}>{(support) => <Page support={support} />}</Read>;
}

function Page({ support }: { support: SupportBody }) {
  const { t } = useText();
  const { account } = support;
  const [params, setParams] = useSearchParams();
  return (
    <>
      <Title back={<Link to="/users">← {t('nav.users')}</Link>} extra={<UserActs support={support} />}>
        {account.name || account.id}
      </Title>
      {account.ban && (
        <Alert
          className="gap-bottom"
          type="error"
          showIcon
          title={t('user.bannedFor', { reason: account.ban.reason })}
          description={
            <>
              <When ms={account.ban.since_ms} /> –{' '}
              {account.ban.until_ms ? <When ms={account.ban.until_ms} /> : t('user.forGood')}
            </>
          }
        />
      )}
      <section className="panel">
        <dl className="facts">
          <dt>{t('col.id')}</dt>
          <dd>
            <code>{account.id}</code> <Copy text={account.id} />
          </dd>
          <dt>{t('gate.phone')}</dt>
          <dd>{account.phone ?? '—'}</dd>
          <dt>{t('user.external')}</dt>
          <dd>{account.external_id ?? '—'}</dd>
          <dt>{t('user.roles')}</dt>
          <dd>{account.roles.map((role) => t(`role.${role}`)).join(', ')}</dd>
          {staffRoles(account.roles).length > 0 && (
            <>
              <dt>{t('second.title')}</dt>
              <dd>{t(account.second_factor ? 'second.has' : 'second.hasNone')}</dd>
            </>
          )}
          <dt>{t('user.since')}</dt>
          <dd>
            <When ms={account.created_ms} />
          </dd>
        </dl>
      </section>
      <Tabbed
        label={t('tab.label')}
        value={params.get('tab') ?? 'chances'}
        change={(key) => setParams({ tab: key }, { replace: true, preventScrollReset: true })}
        items={[
          { key: 'chances', label: t('user.chances'), children: <Played support={support} /> },
          { key: 'draws', label: t('user.draws'), children: <Draws support={support} /> },
          { key: 'wins', label: t('user.wins'), children: <Wins support={support} /> },
          { key: 'orders', label: t('nav.orders'), children: <OrderTable user={account.id} /> },
          {
            key: 'points',
            label: t('user.points'),
            children: <UserPoints id={account.id} points={support.points} />,
          },
          {
            key: 'facts',
            label: t('user.facts'),
            children: <UserFacts id={account.id} facts={support.facts} />,
          },
          { key: 'sessions', label: t('user.sessions'), children: <Sessions support={support} /> },
        ]}
      />
    </>
  );
}

function Played({ support }: { support: SupportBody }) {
  const { t } = useText();
  if (support.played.length === 0) return <Nothing text={t('user.notPlayed')} />;
  return (
    <PlainTable
      heads={[
        t('ful.activity'),
        { right: t('act.round') },
        { right: t('run.draws') },
        { right: t('run.wins') },
        { right: t('user.chancesLeft') },
        { right: t('user.granted') },
      ]}
    >
      {support.played.map((row) => (
        <tr key={`${row.activity} ${row.round}`}>
          <th scope="row">
            <Link to={`/activities/${row.activity}`}>{row.activity_name}</Link>
          </th>
          <td className="right">{row.round}</td>
          <td className="right">
            <Count n={row.draws} />
          </td>
          <td className="right">
            <Count n={row.won} />
          </td>
          <td className="right">
            <Count n={row.chances?.left} />
          </td>
          <td className="right">
            <Count n={row.chances?.granted} />
          </td>
        </tr>
      ))}
    </PlainTable>
  );
}

function Draws({ support }: { support: SupportBody }) {
  const { t } = useText();
  const names = new Map(support.played.map((row) => [row.activity, row.activity_name]));
  if (support.tickets.length === 0) return <Nothing text={t('user.notPlayed')} />;
  return (
    <PlainTable heads={[t('col.at'), t('ful.activity'), t('user.outcome'), t('user.ticket')]}>
      {support.tickets.map((ticket) => (
        <tr key={`${ticket.activity} ${ticket.round} ${ticket.ticket}`}>
          <td>
            <When ms={ticket.at_ms} />
          </td>
          <td>{names.get(ticket.activity) ?? ticket.activity}</td>
          <td>
            {ticket.draws.length === 0
              ? t('user.entries', { count: ticket.count })
              : ticket.draws.map((draw) => draw.prize?.name ?? t('odds.none')).join(' · ')}
          </td>
          <td>
            <code>{ticket.ticket}</code>
          </td>
        </tr>
      ))}
    </PlainTable>
  );
}

function Wins({ support }: { support: SupportBody }) {
  const { t, language } = useText();
  if (support.wins.length === 0) return <Nothing text={t('user.noWins')} />;
  return (
    <PlainTable heads={[t('col.at'), t('odds.prize'), t('ful.activity'), t('col.state'), t('ful.note')]}>
      {support.wins.map((win) => (
        <tr key={win.id}>
          <td>
            <When ms={win.at_ms} />
          </td>
          <td>
            {win.prize.name}
            {win.prize.amount != null && ` × ${formatNumber(win.prize.amount, language)}`} (
            {wordFor(t, 'kind', win.prize.kind)})
          </td>
          <td>
            <Link to={`/activities/${win.activity}`}>{win.activity_name}</Link>
          </td>
          <td>
            <State name={win.giving.state} />
          </td>
          <td>{win.giving.reason ?? [win.giving.carrier, win.giving.tracking].filter(Boolean).join(' ')}</td>
        </tr>
      ))}
    </PlainTable>
  );
}

function Sessions({ support }: { support: SupportBody }) {
  const { t } = useText();
  if (support.sessions.length === 0) return <Nothing text={t('user.noSessions')} />;
  return (
    <PlainTable heads={[t('user.agent'), t('user.ip'), t('user.started'), t('user.seen')]}>
      {support.sessions.map((session) => (
        <tr key={session.id}>
          <td>{session.agent}</td>
          <td>
            <code>{session.address}</code>
          </td>
          <td>
            <When ms={session.started_ms} />
          </td>
          <td>
            <When ms={session.seen_ms} />
          </td>
        </tr>
      ))}
    </PlainTable>
  );
}
