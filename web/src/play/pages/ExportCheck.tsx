import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { API_ROOT } from '../../api/client';
import { Lost } from '../../api/problem';
import { checkExport, linesOf } from '../../fair/export';
import { canVerify } from '../../fair/numbers';
import { formatNumber } from '../../i18n';
import { Cross, Hourglass, Tick } from '../parts/art';
import { Refused } from '../parts/states';
import { useText } from '../text';

/** Checks every draw of everybody, once the secret is out: the same that `windfall verify` does, in this browser. */
export function ExportCheck({ id }: { id: string }) {
  const { t, language } = useText();
  const [done, setDone] = useState(0);
  const address = `${API_ROOT}/activities/${id}/export`;
  const check = useMutation({
    mutationFn: async () => {
      setDone(0);
      const answer = await fetch(address);
      if (!answer.ok || !answer.body) throw new Lost('no export');
      return checkExport(linesOf(answer.body), setDone);
    },
  });
  const result = check.data;
  return (
    <section className="section">
      <h2>{t('whole.title')}</h2>
      <p className="quiet">{t('whole.text')}</p>
      {!canVerify() && <p className="refused">{t('fair.noCrypto')}</p>}
      <div className="verify">
        <button
          type="button"
          className="button"
          disabled={check.isPending || !canVerify()}
          onClick={() => check.mutate()}
        >
          {check.isPending ? t('whole.going', { count: done }) : t('whole.start')}
        </button>
        <a href={address} download={`windfall-${id}.txt`} className="text-link">
          {t('whole.download')}
        </a>
      </div>
      <p role="status">
        {result?.verdict === 'good' && (
          <span className="verdict good">
            <Tick /> {t('whole.good', { count: result.draws, draws: formatNumber(result.draws, language) })}
          </span>
        )}
        {result?.verdict === 'bad' && (
          <span className="verdict bad">
            <Cross /> {t('whole.bad', { line: result.line, why: result.why })}
          </span>
        )}
        {result?.verdict === 'unknown' && (
          <span className="verdict open">
            <Hourglass /> {t('whole.unknown')}
          </span>
        )}
      </p>
      <Refused error={check.error} />
    </section>
  );
}
