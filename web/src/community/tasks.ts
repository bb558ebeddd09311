// Where a task is done, and how it stands.
import type { TaskBody } from '../api/wire';

const PLACES = {
  check_in: '/me/check-in',
  like: '/community',
  follow: '/community',
  comment: '/community',
  post: '/write',
  vote: '/community',
  invite: '/me/invite',
} as const;

export type KnownTask = keyof typeof PLACES;

export const isKnownTask = (behaviour: string): behaviour is KnownTask => Object.hasOwn(PLACES, behaviour);

export const placeOf = (task: KnownTask) => PLACES[task];

/** `done` for now, `over` when everything was given out, or `open`. */
export function standingOf({
  done,
  times,
  period,
  open,
}: Pick<TaskBody, 'done' | 'times' | 'period' | 'open'>) {
  if (open) return 'open';
  return period !== 'each' && done >= times ? 'done' : 'over';
}
