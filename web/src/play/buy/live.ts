import type { SaleBody, SaleLiveBody } from '../../api/wire';

/** A sale with what was told of it since. What is older than the sale itself changes nothing, nor does another version. */
export function withLive(sale: SaleBody, live: SaleLiveBody): SaleBody {
  if (live.server_ms < sale.server_ms || live.version !== sale.version) return sale;
  const { units, left, sold_out, state, until_ms, server_ms } = live;
  return { ...sale, units, left, sold_out, state, until_ms, server_ms };
}
