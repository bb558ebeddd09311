// Activities as journeys need them: made through the API by two people.
import { client } from './console/desk.mjs';
import { until } from './patience.mjs';

/** Publishes an activity that runs from now on, and waits until it does. */
export async function publishActivity(url, { lasts = 3_600_000, ...form }) {
  const [operator, reviewer] = await Promise.all(['operator', 'reviewer'].map((who) => client(url, who)));
  const { now_ms: now } = await operator.get('/time');
  const until_ms = now + lasts;
  const { id } = await operator.post('/activities', {
    from: now - 1000,
    until: until_ms,
    ...form,
    ...(form.kind === 'raffle' && { draw_at: until_ms }),
  });
  await operator.post(`/activities/${id}/submit`, {});
  await reviewer.post(`/activities/${id}/approve`, {});
  await until(async () => {
    const answer = await fetch(`${url}/api/v1/play/activities/${id}`);
    return answer.ok && (await answer.json()).state === 'running';
  }, `${form.name} is running`);
  return id;
}
