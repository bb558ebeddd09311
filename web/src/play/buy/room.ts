// A place in the waiting room of a sale: taken once, kept on this device, and taken up again after a reload, a lost
// connection or a restart of the server.
//
// The stream stays open behind a hidden tab too: whoever is not heard of for a minute is passed over.
import { API_ROOT, api, ask } from '../../api/client';
import { hasCode, mayRepeat, pauseMs } from '../../api/problem';
import type { RoomBody } from '../../api/wire';
import { pauseBefore, type Source } from '../../live/stream';

/** Where somebody stands, or why they do not. `again`: it is tried again by itself. */
export type RoomView = { body: RoomBody } | { error: unknown; again: boolean };

/** What is needed of the world; tests bring their own. */
export interface RoomWorld {
  join(place: string | undefined): Promise<RoomBody>;
  open(): Source;
  after(ms: number, then: () => void): () => void;
  kept(): string | undefined;
  keep(place: string | undefined): void;
}

const placeKey = (sale: string) => `windfall.place.${sale}`;

/** A stream that says nothing for so long, or as long as the server suggests, is not relied on: one asks. */
const SILENCE_MS = 3000;

/** The place that this device keeps for a sale. */
export function keptPlace(sale: string): string | undefined {
  try {
    return localStorage.getItem(placeKey(sale)) ?? undefined;
  } catch {
    return undefined;
  }
}

export function roomWorld(sale: string): RoomWorld {
  return {
    join: (place) =>
      ask((signal) =>
        api.POST('/sales/{id}/room', {
          signal,
          params: { path: { id: sale } },
          body: place === undefined ? {} : { place },
        }),
      ),
    open: () => new EventSource(`${API_ROOT}/sales/${sale}/room/live`) as unknown as Source,
    after: (ms, then) => {
      const timer = setTimeout(then, ms);
      return () => clearTimeout(timer);
    },
    kept: () => keptPlace(sale),
    keep: (place) => {
      try {
        if (place === undefined) localStorage.removeItem(placeKey(sale));
        else localStorage.setItem(placeKey(sale), place);
      } catch {
        // Nothing is kept: the server knows the place for as long as it runs.
      }
    },
  };
}

/** Takes a place, or the one that is kept, and tells where it stands until it is over or the returned function is called. */
export function stayInRoom(world: RoomWorld, told: (view: RoomView) => void): () => void {
  let source: Source | undefined;
  let cancel = () => {};
  let failures = 0;
  let over = false;

  const hear = (body: RoomBody) => {
    failures = 0;
    cancel();
    if (body.place) world.keep(body.place);
    if (body.state === 'left') {
      world.keep(undefined);
      over = true;
      source?.close();
    }
    told({ body });
    if (!over) cancel = world.after(Math.max(SILENCE_MS, body.ask_again_ms), () => void enter());
  };

  const later = (ms: number) => {
    failures += 1;
    cancel();
    cancel = world.after(ms, () => void enter());
  };

  const listen = () => {
    const opened = world.open();
    source = opened;
    opened.addEventListener('room', ({ data }) => {
      if (!over && data !== undefined) hear(JSON.parse(data) as RoomBody);
    });
    opened.addEventListener('error', () => {
      opened.close();
      if (over || source !== opened) return;
      source = undefined;
      // By the place once more, and not by the stream alone: the server may have forgotten who stands where.
      later(pauseBefore(failures, Math.random()));
    });
  };

  const enter = async (): Promise<void> => {
    const place = world.kept();
    let body: RoomBody;
    try {
      body = await world.join(place);
    } catch (error) {
      if (over) return;
      if (place !== undefined && hasCode(error, 'place_wrong')) {
        // Of another round or of whoever was signed in here before.
        world.keep(undefined);
        return enter();
      }
      const again = mayRepeat(error) || hasCode(error, 'room_full');
      told({ error, again });
      if (again) later(pauseMs(failures, error));
      return;
    }
    if (over) return;
    hear(body);
    if (!over && !source) listen();
  };

  void enter();
  return () => {
    over = true;
    cancel();
    source?.close();
  };
}
