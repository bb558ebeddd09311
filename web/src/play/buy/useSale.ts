// A sale as it stands: read once, then told live while the page is looked at; asked for now and then where no stream is to
// be had.

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { API_ROOT } from '../../api/client';
import { every } from '../../api/queries';
import type { SaleBody, SaleLiveBody } from '../../api/wire';
import { useStream } from '../../live/useStream';
import { serverNow } from '../../time/clock';
import { saleKeys } from '../keys';
import { withLive } from './live';
import { isLively, QUIET_MS, saleRead } from './reads';

export function useSale(id: string) {
  const client = useQueryClient();
  const { queryKey } = saleRead(id);
  const wanted = isLively(client.getQueryData<SaleBody>(queryKey), serverNow());
  const { value, state } = useStream<SaleLiveBody>(`${API_ROOT}/sales/${id}/live`, 'sale', wanted);
  const query = useQuery({
    ...saleRead(id),
    ...(wanted && state === 'live' ? { refetchInterval: every(QUIET_MS) } : {}),
  });
  useEffect(() => {
    if (!value) return;
    const sale = client.getQueryData<SaleBody>(saleKeys.one(id));
    if (!sale) return;
    client.setQueryData(saleKeys.one(id), withLive(sale, value));
    // Another version has another price or another end: everything is asked for.
    if (sale.version !== value.version) void client.invalidateQueries({ queryKey: saleKeys.one(id) });
  }, [client, id, value]);
  return query;
}
