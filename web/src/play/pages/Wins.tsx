import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { api, freshId, insist } from '../../api/client';
import type { ClaimGiven, PageBodyWinBody } from '../../api/wire';
import { formatMoment, formatShort, useText } from '../../i18n';
import { Copy } from '../parts/Copy';
import { Head } from '../parts/Head';
import { More } from '../parts/More';
import { Picture } from '../parts/Picture';
import { Empty, Failed, Loading, Refused } from '../parts/states';
import { winsRead } from '../reads';
import { ClaimDialog } from './ClaimDialog';

export type Win = PageBodyWinBody['items'][number];

/** Everything I won, and what is to be done about it. */
export default function Wins() {
  const { t } = useText();
  const query = useInfiniteQuery(winsRead);
  const wins = query.data?.pages.flatMap((page) => page.items) ?? [];
  return (
    <>
      <Head title={t('wins.title')} />
      {query.isPending && <Loading />}
      {!query.data && query.error && <Failed error={query.error} retry={() => void query.refetch()} />}
      {query.data && wins.length === 0 && (
        <Empty title={t('wins.empty')}>
          <Link to="/" className="button">
            {t('wins.play')}
          </Link>
        </Empty>
      )}
      <ul className="wins">
        {wins.map((win) => (
          <li key={win.id} className="card win">
            <WinCard win={win} />
          </li>
        ))}
      </ul>
      <More query={query} />
    </>
  );
}

function WinCard({ win }: { win: Win }) {
  const { t, language } = useText();
  const client = useQueryClient();
  const [asking, setAsking] = useState(false);
  const claim = useMutation({
    mutationFn: (body: ClaimGiven) => {
      const key = freshId();
      return insist((signal) =>
        api.POST('/me/wins/{id}/claim', {
          signal,
          params: { path: { id: win.id }, header: { 'Idempotency-Key': key } },
          body,
        }),
      );
    },
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: winsRead.queryKey });
      setAsking(false);
    },
  });
  const { giving, prize } = win;
  const claimable = giving.next === 'claim';
  return (
    <>
      <Picture prize={prize} size={56} />
      <div className="win-words">
        <b>{prize.name}</b>
        <small>
          {win.activity_name} · {formatShort(win.at_ms, language)}
        </small>
        <p className={`giving ${giving.state}`}>
          {t(`giving.${giving.state}`)}
          {giving.reason && ` ${giving.reason}`}
        </p>
        {claimable && giving.claim_until_ms != null && (
          <small>{t('wins.until', { when: formatMoment(giving.claim_until_ms, language) })}</small>
        )}
        {giving.state === 'waiting' && giving.due_ms != null && (
          <small>{t('wins.due', { when: formatMoment(giving.due_ms, language) })}</small>
        )}
        {win.code && <Copy text={win.code} label={t('wins.copyCode')} />}
        {giving.tracking && (
          <span className="tracking">
            <small>{giving.carrier}</small>
            <Copy text={giving.tracking} label={t('wins.copyTracking')} />
          </span>
        )}
        {prize.details && <p className="quiet">{prize.details}</p>}
        <Refused error={asking ? undefined : claim.error} />
      </div>
      {claimable && (
        <button
          type="button"
          className="button primary"
          disabled={claim.isPending}
          aria-label={t('wins.claimThis', { prize: prize.name })}
          onClick={() => (giving.needs_address ? setAsking(true) : claim.mutate({}))}
        >
          {claim.isPending ? t('wait') : t('wins.claim')}
        </button>
      )}
      {asking && (
        <ClaimDialog
          prize={prize.name}
          busy={claim.isPending}
          error={claim.error}
          onClose={() => setAsking(false)}
          onClaim={(body) => claim.mutate(body)}
        />
      )}
    </>
  );
}
