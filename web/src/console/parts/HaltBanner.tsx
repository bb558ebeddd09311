import { useQuery } from '@tanstack/react-query';
import { Alert } from 'antd';
import { Link } from 'react-router';
import { api, read } from '../../api/client';
import { siteKeys } from '../keys';
import { useText } from '../text';

export function useHalt() {
  return useQuery({
    queryKey: siteKeys.halt,
    queryFn: read((signal) => api.GET('/admin/halt', { signal })),
    refetchInterval: 15_000,
  });
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
      title={t('halt.banner')}
      action={<Link to="/settings">{t('halt.see')}</Link>}
    />
  );
}
