import { useQuery } from '@tanstack/react-query';
import { api, read } from '../../api/client';
import type { RefusalCountBody } from '../../api/wire';
import { siteKeys } from '../keys';
import { useText } from '../text';
import { Count } from './bits';

/** What players were refused for, in the words that they were told, most often first. */
export function Refusals({ refusals }: { refusals: readonly RefusalCountBody[] | undefined }) {
  const { t, language } = useText();
  const known = useQuery({
    queryKey: siteKeys.problems,
    queryFn: read((signal) => api.GET('/problems', { signal })),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const text = (code: string) =>
    known.data?.items.find((one) => one.code === code)?.[language] ?? code.replaceAll('_', ' ');
  return (
    <section className="panel" aria-label={t('run.refusals')}>
      <h2 className="section-title">{t('run.refusals')}</h2>
      {refusals?.length === 0 && <p className="soft">{t('run.noRefusals')}</p>}
      <dl className="facts">
        {(refusals ?? []).map(({ code, count }) => (
          <div key={code} className="contents">
            <dt>
              {text(code)} <code className="soft fine">{code}</code>
            </dt>
            <dd>
              <Count n={count} />
            </dd>
          </div>
        ))}
      </dl>
      {refusals && refusals.length > 0 && <p className="fine soft">{t('run.refusalsHelp')}</p>}
    </section>
  );
}
