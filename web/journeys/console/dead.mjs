// Makes a dead letter the honest way: chances that are let go after their activity has ended.
import { client, until } from './desk.mjs';

/** The id of the prize, its letter and its activity. Once the activity is open again, the letter can be delivered. */
export async function deadLetter(url) {
  const [operator, reviewer, player] = await Promise.all(
    ['operator', 'reviewer', 'player'].map((who) => client(url, who)),
  );
  const { now_ms: now } = await operator.get('/time');
  const { id: activity } = await operator.post('/activities', {
    name: 'One more',
    from: now - 60_000,
    until: now + 3_600_000,
    chances: { total: 5 },
    whole: 100,
    prizes: [{ name: 'Two more', odds: 100, unlimited: true, kind: 'chances', amount: 2, grant: 'by_hand' }],
  });
  await operator.post(`/activities/${activity}/submit`, {});
  await reviewer.post(`/activities/${activity}/approve`, {});
  const state = async () => (await operator.get(`/activities/${activity}`)).state;
  await until(async () => (await state()) === 'running', 'the activity runs');
  await player.post(`/play/activities/${activity}/draws`, { id: `dead-${activity}`, draws: 1 });
  const queue = () => operator.get(`/fulfilments?activity=${activity}`);
  const [prize] = await until(async () => {
    const { items } = await queue();
    return items.length > 0 && items;
  }, 'the prize waits');
  await operator.post(`/activities/${activity}/close`, { reason: 'a journey' });
  await operator.post(`/fulfilments/${prize.id}/release`, { reason: 'too late' });
  await until(async () => (await queue()).items[0].state === 'failed', 'the letter is dead');
  return { id: prize.id, activity };
}
