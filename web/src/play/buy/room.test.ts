import { expect, it } from 'vitest';
import { Lost, Problem } from '../../api/problem';
import type { ProblemCode, RoomBody } from '../../api/wire';
import { type RoomView, type RoomWorld, stayInRoom } from './room';

const body = (state: RoomBody['state'], more: Partial<RoomBody> = {}): RoomBody => ({
  state,
  units_left: 5,
  ask_again_ms: 1000,
  server_time_ms: 0,
  ...more,
});
const waiting = body('waiting', { place: 'wfp_1', number: 1, ahead: 3 });
const refusal = (code: ProblemCode) => new Problem({ title: code, status: 409, code, request_id: null });

/** A server that answers what it is told to, a device that keeps a place, and time that passes when the test says so. */
function world(kept: string | undefined, answers: Array<RoomBody | Error>) {
  const here = {
    kept,
    joined: [] as Array<string | undefined>,
    streams: [] as Array<{ closed: boolean; tell(kind: string, data?: string): void }>,
    later: [] as Array<() => void>,
    told: [] as RoomView[],
    stop: () => {},
  };
  const roomWorld: RoomWorld = {
    join(place) {
      here.joined.push(place);
      const answer = answers.shift();
      return answer === undefined || answer instanceof Error
        ? Promise.reject(answer ?? new Lost('nobody answers'))
        : Promise.resolve(answer);
    },
    open() {
      const listeners = new Map<string, (event: { data?: string }) => void>();
      const stream = {
        closed: false,
        tell: (kind: string, data?: string) => listeners.get(kind)?.(data === undefined ? {} : { data }),
      };
      here.streams.push(stream);
      return {
        addEventListener: (kind, listener) => listeners.set(kind, listener),
        close: () => {
          stream.closed = true;
        },
      };
    },
    after(_, then) {
      here.later.push(then);
      return () => {
        here.later = here.later.filter((one) => one !== then);
      };
    },
    kept: () => here.kept,
    keep(place) {
      here.kept = place;
    },
  };
  here.stop = stayInRoom(roomWorld, (view) => here.told.push(view));
  return here;
}

const settle = () => new Promise((resolve) => setTimeout(resolve));

it('takes a place, keeps it, and hears where it stands', async () => {
  const here = world(undefined, [waiting]);
  await settle();
  expect(here.kept).toBe('wfp_1');
  here.streams[0]?.tell('room', JSON.stringify(body('admitted', { place: 'wfp_1', until_ms: 9 })));
  expect(here.told.map((view) => 'body' in view && view.body.state)).toEqual(['waiting', 'admitted']);
});

it('after a reload it stands where it stood', async () => {
  const here = world('wfp_1', [waiting]);
  await settle();
  expect(here.joined).toEqual(['wfp_1']);
});

it('a stream that breaks is taken up by the place, as after a restart of the server', async () => {
  const here = world(undefined, [waiting, new Lost('gone'), waiting]);
  await settle();
  here.streams[0]?.tell('error');
  expect(here.streams[0]?.closed).toBe(true);
  here.later.pop()?.();
  await settle();
  expect(here.told.at(-1)).toMatchObject({ again: true });
  here.later.pop()?.();
  await settle();
  expect(here.joined).toEqual([undefined, 'wfp_1', 'wfp_1']);
  expect(here.streams).toHaveLength(2);
  expect(here.told.at(-1)).toEqual({ body: waiting });
});

it('a stream that says nothing is not relied on: the place is asked for, and the stream stays', async () => {
  const admitted = body('admitted', { place: 'wfp_1', until_ms: 9 });
  const here = world(undefined, [waiting, admitted]);
  await settle();
  expect(here.later, 'one watch').toHaveLength(1);
  here.streams[0]?.tell('room', JSON.stringify(waiting));
  expect(here.later, 'each word begins it anew').toHaveLength(1);
  here.later.pop()?.();
  await settle();
  expect(here.told.at(-1)).toEqual({ body: admitted });
  expect(here.streams).toHaveLength(1);
});

it('a place of another round is dropped for a new one', async () => {
  const here = world('wfp_old', [refusal('place_wrong'), waiting]);
  await settle();
  expect(here.joined).toEqual(['wfp_old', undefined]);
  expect(here.kept).toBe('wfp_1');
});

it.each([
  ['sold_out', false],
  ['not_eligible', false],
  ['ended', false],
  ['room_full', true],
  ['rate_limited', true],
  ['overloaded', true],
] as const)('refused with %s', async (code, again) => {
  const here = world(undefined, [refusal(code)]);
  await settle();
  expect(here.told).toMatchObject([{ error: { code }, again }]);
  expect(here.later).toHaveLength(again ? 1 : 0);
  expect(here.streams).toEqual([]);
});

it('a turn that is over leaves nothing behind', async () => {
  const here = world(undefined, [waiting]);
  await settle();
  here.streams[0]?.tell('room', JSON.stringify(body('left')));
  here.streams[0]?.tell('error');
  expect(here.kept).toBeUndefined();
  expect(here.streams[0]?.closed).toBe(true);
  expect(here.later).toEqual([]);
});

it('whoever leaves the page is not brought back', async () => {
  const here = world(undefined, [waiting]);
  await settle();
  here.streams[0]?.tell('error');
  here.stop();
  expect(here.later).toEqual([]);
  expect(here.kept, 'the place itself stays').toBe('wfp_1');
});
