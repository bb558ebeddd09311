import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, insist } from '../../api/client';
import { useOnce } from '../../api/once';
import type { ClaimRequest, GivingBody } from '../../api/wire';
import { formatMoment } from '../../i18n';
import { myKeys } from '../keys';
import { Amount } from '../parts/Amount';
import { Copy } from '../parts/Copy';
import { Picture, type Pictured } from '../parts/Picture';
import { Refused } from '../parts/states';
import { useText } from '../text';
import { ClaimDialog } from './ClaimDialog';

interface GivenCardProps {
  id: string;
  thing: Pictured & { name: string; details?: string; amount?: number | null };
  /** Where it comes from, and when. */
  from: string;
  giving: GivingBody;
  code: string | undefined;
}

/** Something that was won or bought: how giving it stands, its code, its parcel, and the button to claim it. */
export function GivenCard({ id, thing, from, giving, code }: GivenCardProps) {
  const { t, language } = useText();
  const client = useQueryClient();
  const [asking, setAsking] = useState(false);
  const once = useOnce();
  const claim = useMutation({
    mutationFn: (body: ClaimRequest) =>
      once(body, (key) =>
        insist((signal) =>
          api.POST('/me/wins/{id}/claim', {
            signal,
            params: { path: { id }, header: { 'Idempotency-Key': key } },
            body,
          }),
        ),
      ),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: myKeys.all });
      setAsking(false);
    },
  });
  const claimable = giving.next === 'claim';
  return (
    <>
      <Picture prize={thing} size={56} />
      <div className="win-words">
        <b>{thing.name}</b>
        <Amount of={thing} className="price" />
        <small>{from}</small>
        <p className={`giving ${giving.state}`}>
          {t(`giving.${giving.state}`)}
          {giving.reason && ` ${giving.reason}`}
          {giving.note && ` ${giving.note}`}
        </p>
        {claimable && giving.claim_until_ms != null && (
          <small>{t('wins.until', { when: formatMoment(giving.claim_until_ms, language) })}</small>
        )}
        {giving.state === 'waiting' && giving.due_ms != null && (
          <small>{t('wins.due', { when: formatMoment(giving.due_ms, language) })}</small>
        )}
        {code && <Copy text={code} label={t('wins.copyCode')} />}
        {giving.tracking && (
          <span className="tracking">
            <small>{giving.carrier}</small>
            <Copy text={giving.tracking} label={t('wins.copyTracking')} />
          </span>
        )}
        {thing.details && <p className="quiet">{thing.details}</p>}
        <Refused error={asking ? undefined : claim.error} />
      </div>
      {claimable && (
        <button
          type="button"
          className="button primary"
          disabled={claim.isPending}
          aria-label={t('wins.claimThis', { prize: thing.name })}
          onClick={() => (giving.needs_address ? setAsking(true) : claim.mutate({}))}
        >
          {claim.isPending ? t('wait') : t('wins.claim')}
        </button>
      )}
      {asking && (
        <ClaimDialog
          prize={thing.name}
          busy={claim.isPending}
          error={claim.error}
          onClose={() => setAsking(false)}
          onClaim={(body) => claim.mutate(body)}
        />
      )}
    </>
  );
}
