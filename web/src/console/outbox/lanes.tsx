// Lanes: whose queue a message waits in. The program has lanes of its own, which the API document lists; each webhook has
// one more, named after its id.

import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { api, read } from '../../api/client';
import { laneValues } from '../../api/schema.gen';
import type { Lane as OwnLane } from '../../api/wire';
import { webhookKeys } from '../keys';
import { useMay } from '../session/session';
import { type Say, useText } from '../text';

const HOOK = 'hook:';

/** The id of the webhook whose lane this is. */
export function hookOf(lane: string): string | undefined {
  return lane.startsWith(HOOK) ? lane.slice(HOOK.length) : undefined;
}

/** A lane in words: to whom its messages go. */
export function laneText(t: Say, lane: string, hooks: readonly Hook[] = []): string {
  const hook = hookOf(lane);
  if (hook === undefined) return isOwn(lane) ? t(`lane.${lane}`) : lane;
  return t('quar.hook', { id: hooks.find(({ id }) => id === hook)?.name ?? hook });
}

const isOwn = (lane: string): lane is OwnLane => laneValues.some((own) => own === lane);

interface Hook {
  id: string;
  name: string;
}

/** The webhooks by name, for those who may see them. */
export function useHooks(): readonly Hook[] {
  const may = useMay();
  const { data } = useQuery({
    queryKey: webhookKeys.names,
    queryFn: read((signal) => api.GET('/webhooks', { signal })),
    enabled: may('webhooks'),
    staleTime: 300_000,
  });
  return data?.items ?? [];
}

/** Every lane there is, to choose from: the program's own, and one for each webhook. */
export function useLaneOptions(): { value: string; label: string }[] {
  const { t } = useText();
  const hooks = useHooks();
  return [...laneValues, ...hooks.map(({ id }) => `${HOOK}${id}`)].map((lane) => ({
    value: lane,
    label: laneText(t, lane, hooks),
  }));
}

/** To whom the messages of a lane go; a webhook by its name, leading to its page. */
export function Lane({ name }: { name: string }) {
  const { t } = useText();
  const may = useMay();
  const hooks = useHooks();
  const hook = hookOf(name);
  const text = laneText(t, name, hooks);
  return hook !== undefined && may('webhooks') ? <Link to={`/webhooks/${hook}`}>{text}</Link> : text;
}
