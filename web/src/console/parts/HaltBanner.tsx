import { useQuery } from '@tanstack/react-query';
import { Alert } from 'antd';
import { Link } from 'react-router';
import { api, read } from '../../api/client';
import type { HaltBody } from '../../api/wire';
import { siteKeys } from '../keys';
import { useText } from '../text';
import { Actor, When } from './bits';

export function useHalt() {
  return useQuery({
    queryKey: siteKeys.halt,
    queryFn: read((signal) => api.GET('/admin/halt', { signal })),
    refetchInterval: 15_000,
  });
}

/** Who stopped everything, when and why. */
export function HaltedBy({ halt }: { halt: HaltBody }) {
  const { t } = useText();
  if (!halt.by) return null;
  return (
    <>
      {t('halt.by')} <Actor actor={halt.by} /> · <When ms={halt.at_ms} exact /> ·{' '}
      {t('halt.why', { reason: halt.reason || t('halt.noReason') })}
    </>
  );
}

/** While everything is stopped, every page says so. */
export function HaltBanner() {
  const { t } = useText();
  const { data } = useHalt();
  if (!data?.on) return null;
  return (
    <Alert
      banner
      type="error"
      title={
        <>
          {t('halt.banner')} <HaltedBy halt={data} />
        </>
      }
      action={<Link to="/settings">{t('halt.see')}</Link>}
    />
  );
}
