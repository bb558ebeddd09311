import { useQuery } from '@tanstack/react-query';
import { api, ask } from '../../api/client';
import type { DetailBody } from '../../api/wire';
import { activityKeys } from '../keys';

/** One activity, looked at again as often as `pace` says of it. */
export function useActivity(id: string, pace: (detail: DetailBody) => number | false = () => false) {
  return useQuery({
    queryKey: activityKeys.detail(id),
    queryFn: ({ signal: given }) =>
      ask((signal) => api.GET('/activities/{id}', { params: { path: { id } }, signal }), given),
    refetchInterval: ({ state }) => (state.data ? pace(state.data) : false),
  });
}
