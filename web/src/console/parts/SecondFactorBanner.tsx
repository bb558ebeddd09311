import { useQuery } from '@tanstack/react-query';
import { Alert } from 'antd';
import { Link, useLocation } from 'react-router';
import { api, read } from '../../api/client';
import { accountKeys } from '../keys';
import { useMe } from '../session/session';
import { useText } from '../text';

export function useSecondFactor() {
  return useQuery({
    queryKey: accountKeys.secondFactor,
    queryFn: read((signal) => api.GET('/me/second-factor', { signal })),
  });
}

/** An admin without a second factor is reminded on every page; where the site requires one, everybody is. */
export function SecondFactorBanner() {
  const me = useMe();
  return me.second_factor ? null : <Missing admin={me.roles.includes('admin')} />;
}

function Missing({ admin }: { admin: boolean }) {
  const { t } = useText();
  const { pathname } = useLocation();
  const { data } = useSecondFactor();
  if (!admin && !data?.required) return null;
  return (
    <Alert
      banner
      type={data?.required ? 'error' : 'warning'}
      title={t(data?.required ? 'second.required' : 'second.banner')}
      {...(pathname === '/account' ? {} : { action: <Link to="/account">{t('second.begin')}</Link> })}
    />
  );
}
