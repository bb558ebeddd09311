import { useQuery } from '@tanstack/react-query';
import { Alert } from 'antd';
import { Link } from 'react-router';
import { api, ask, read } from '../../api/client';
import { approvalStateValues } from '../../api/schema.gen';
import type { ActivityBody, ApprovalBody } from '../../api/wire';
import { formatMoment, formatNumber } from '../../i18n';
import { formatMoney } from '../../i18n/money';
import {
  activityKeys,
  approvalKeys,
  fulfilmentKeys,
  grantKeys,
  orderKeys,
  shopKeys,
  siteKeys,
  userKeys,
} from '../keys';
import { Act, reasonField } from '../parts/Act';
import { Actor, openWord, Person, State, stateWord, Title, When } from '../parts/bits';
import { queryOf, StateChoice, useFilters } from '../parts/Filter';
import { type Column, PageTable } from '../parts/PageTable';
import { useMay, useMe } from '../session/session';
import { type Say, useText } from '../text';

/** What waits for a second person. */
export default function Approvals() {
  const { t, language } = useText();
  const may = useMay();
  const [get, set] = useFilters();
  const reviews = useReviews(may('decideActivities'));
  const columns: Column<ApprovalBody>[] = [
    {
      key: 'what',
      title: t('appr.what'),
      text: (row) => row.request.kind,
      show: (row) => (
        <>
          <What request={row.request} />
          {(row.already_given ?? []).map((what) => (
            <p key={what} className="soft">
              {t('appr.given', { what: openWord(t, 'given', what) })}
            </p>
          ))}
        </>
      ),
    },
    {
      key: 'state',
      title: t('col.state'),
      text: (row) => stateWord(t, row.state),
      show: (row) => <State name={row.state} />,
    },
    { key: 'reason', title: t('col.reason'), text: (row) => row.reason },
    {
      key: 'by',
      title: t('appr.asked'),
      text: (row) => row.asked_by.id ?? '',
      show: (row) => <Actor actor={row.asked_by} />,
    },
    {
      key: 'at',
      title: t('col.at'),
      text: (row) => formatMoment(row.asked_at_ms, language),
      show: (row) => <When ms={row.asked_at_ms} />,
    },
    {
      key: 'decided',
      title: t('appr.decided'),
      text: (row) => row.decided_by?.id ?? '',
      show: (row) => (row.decided_by ? <Actor actor={row.decided_by} /> : '—'),
    },
    { key: 'word', title: t('appr.word'), text: (row) => row.decision_reason },
    { key: 'acts', title: t('col.acts'), text: () => '', show: (row) => <Acts row={row} /> },
  ];
  return (
    <>
      <Title>{t('nav.approvals')}</Title>
      <Reviews items={reviews} />
      <PageTable<ApprovalBody>
        queryKey={approvalKeys.rows(queryOf(get, ['state']))}
        fetch={read((signal, page) =>
          api.GET('/admin/approvals', {
            params: { query: { ...page, ...queryOf(get, ['state']) } },
            signal,
          }),
        )}
        columns={columns}
        rowKey={(row) => row.id}
        file="approvals.csv"
        empty={t(reviews.length > 0 ? 'appr.noneElse' : 'appr.none')}
        refreshMs={15_000}
        filters={
          <StateChoice
            states={approvalStateValues}
            value={get('state')}
            change={(value) => set('state', value)}
          />
        }
      />
    </>
  );
}

function useReviews(enabled: boolean): ActivityBody[] {
  const { data } = useQuery({
    enabled,
    queryKey: activityKeys.reviews,
    queryFn: read((signal) =>
      api.GET('/activities', { params: { query: { state: 'in_review', limit: 50 } }, signal }),
    ),
  });
  return data?.items ?? [];
}

/** Activities that wait for a decision are decided on their own page. */
function Reviews({ items }: { items: ActivityBody[] }) {
  const { t } = useText();
  if (items.length === 0) return null;
  return (
    <Alert
      className="gap-bottom"
      type="info"
      showIcon
      title={t('appr.reviews')}
      description={
        <ul className="flaws">
          {items.map((one) => (
            <li key={one.id}>
              <Link to={`/activities/${one.id}?tab=review`}>{one.name}</Link>
            </li>
          ))}
        </ul>
      }
    />
  );
}

function What({ request }: { request: ApprovalBody['request'] }) {
  const { t, language } = useText();
  switch (request.kind) {
    case 'set_roles':
      return (
        <>
          {t('appr.roles')} <Person id={request.user_id} />:{' '}
          {request.roles.map((role) => openWord(t, 'role', role)).join(', ') || t('none')}
        </>
      );
    case 'adjust_points':
      return (
        <>
          {t('appr.points', {
            n: new Intl.NumberFormat(language === 'zh' ? 'zh-CN' : 'en', { signDisplay: 'always' }).format(
              request.points,
            ),
          })}{' '}
          <Person id={request.user_id} />
        </>
      );
    case 'reverse_points':
      return (
        <>
          {t('appr.reverse', { n: request.n })} <Person id={request.user_id} />
        </>
      );
    case 'reset_second_factor':
      return (
        <>
          {t('appr.second')} <Person id={request.user_id} />
        </>
      );
    case 'void_fulfilment':
      return <>{t('appr.void', { id: request.fulfilment_id })}</>;
    case 'refund_shop_order':
      return <>{t('appr.refund', { id: request.order_id })}</>;
    case 'refund_order':
      return (
        <>
          {t('appr.refundOrder', {
            sum: formatMoney(request.amount_minor, request.currency, language),
            id: request.order_id,
          })}{' '}
          <Person id={request.user_id} />
        </>
      );
    case 'activate_key':
      return <>{t('appr.key', { name: request.name, scopes: request.scopes.join(', ') })}</>;
    case 'activate_grant_rule':
      return (
        <>
          {t('appr.rule', {
            name: request.name,
            behaviour: request.behaviour,
            gives: `${formatNumber(request.amount, language)} ${openWord(t, 'kind', request.gives)}`,
            often: `${request.times} × ${openWord(t, 'period', request.period)}`,
          })}{' '}
          {t('appr.caps', {
            user: request.cap_user == null ? '∞' : formatNumber(request.cap_user, language),
            total: request.cap_total == null ? '∞' : formatNumber(request.cap_total, language),
          })}
        </>
      );
    case 'restock_offer':
      return (
        <>
          {t('appr.restock', {
            n: formatNumber(request.delta, language),
            name: request.name,
            kind: pieceOf(t, request),
            price: formatNumber(request.price, language),
          })}
        </>
      );
    case 'reprice_offer':
      return (
        <>
          {t('appr.reprice', {
            name: request.name,
            kind: pieceOf(t, request),
            from: formatNumber(request.price_now, language),
            to: formatNumber(request.price, language),
            n: formatNumber(request.left, language),
          })}
        </>
      );
    default:
      return <code>{JSON.stringify(request)}</code>;
  }
}

/** What one piece of an offer is. */
function pieceOf(t: Say, offer: { gives: string; chances?: number | null }): string {
  const kind = openWord(t, 'kind', offer.gives);
  return offer.chances ? `${kind} × ${offer.chances}` : kind;
}

function Acts({ row }: { row: ApprovalBody }) {
  const { t } = useText();
  const me = useMe();
  const may = useMay();
  if (row.state !== 'waiting' || !may('decideApprovals')) return <>—</>;
  const decide = (verdict: 'approve' | 'refuse' | 'withdraw') => (values: { reason: string }) =>
    ask((signal) =>
      api.POST(`/admin/approvals/{id}/${verdict}`, {
        params: { path: { id: row.id } },
        body: { reason: values.reason },
        signal,
      }),
    );
  const refresh = [
    approvalKeys.all,
    userKeys.lists,
    userKeys.all,
    fulfilmentKeys.all,
    siteKeys.keys,
    grantKeys.rules,
    orderKeys.all,
    shopKeys.offers,
    shopKeys.orders,
  ];
  if (row.asked_by.id === me.id) {
    return (
      <Act
        link
        label={t('appr.withdraw')}
        says={t('appr.withdrawSays')}
        fields={[reasonField(t, true)]}
        run={decide('withdraw')}
        refresh={refresh}
        done={t('saved')}
      />
    );
  }
  return (
    <span className="row">
      <Act
        link
        label={t('review.approve')}
        says={t('appr.approveSays')}
        fields={[reasonField(t, true)]}
        run={decide('approve')}
        refresh={refresh}
        done={t('saved')}
      />
      <Act
        link
        danger
        label={t('review.refuse')}
        says={t('appr.refuseSays')}
        fields={[reasonField(t, true)]}
        run={decide('refuse')}
        refresh={refresh}
        done={t('saved')}
      />
    </span>
  );
}
