// Codes against what was promised, said before more is promised.

import { useQuery } from '@tanstack/react-query';
import { Alert } from 'antd';
import { api, read } from '../../api/client';
import type { CodeShortageBody } from '../../api/wire';
import { formatNumber } from '../../i18n';
import { codePoolKeys } from '../keys';
import { useText } from '../text';

/** In a dialog that adds units of something whose units are codes. */
export function CodesLeft({ pool }: { pool: string }) {
  const { t, language } = useText();
  const { data } = useQuery({
    queryKey: codePoolKeys.one(pool),
    queryFn: read((signal) => api.GET('/code-pools/{id}', { params: { path: { id: pool } }, signal })),
  });
  if (!data) return null;
  const promised = data.promised ?? 0;
  const text = t('att.codesLeft', {
    name: data.name,
    left: formatNumber(data.left, language),
    promised: formatNumber(promised, language),
  });
  return <Alert type={promised >= data.left ? 'warning' : 'info'} showIcon title={text} />;
}

/** Prizes for which there are not enough codes. */
export function Shortages({ codes }: { codes: readonly CodeShortageBody[] }) {
  const { t, language } = useText();
  const n = (count: number) => formatNumber(count, language);
  return (
    <>
      <ul className="flaws">
        {codes.map((short) => (
          <li key={`${short.pool_id} ${short.name}`}>
            {t('att.shortRow', {
              name: short.name,
              pool: short.pool_name,
              left: n(short.left),
              promised: n(short.promised),
              more: n(short.more),
            })}
          </li>
        ))}
      </ul>
      <p>{t('att.shortHelp')}</p>
    </>
  );
}
