// Following a live stream (server-sent events) for as long as the page is looked at.
//
// Every event is the whole picture, so there is nothing to catch up with: resuming is asking again. The browser's own
// reconnecting gives up at the first answer that is not a stream ("full", a restart behind a proxy); this does not.

export type StreamState = 'connecting' | 'live' | 'waiting';

/** The part of EventSource that is used; tests bring their own. */
export interface Source {
  addEventListener(kind: string, listener: (event: { data?: string }) => void): void;
  close(): void;
}

export interface StreamWorld {
  open(url: string): Source;
  after(ms: number, then: () => void): () => void;
}

const browserWorld: StreamWorld = {
  open: (url) => new EventSource(url) as unknown as Source,
  after: (ms, then) => {
    const timer = setTimeout(then, ms);
    return () => clearTimeout(timer);
  },
};

const PAUSE_MAX_MS = 30_000;

/** 1, 2, 4 … 30 s, spread by a fifth either way so that a crowd does not come back at once. */
export function pauseBefore(attempt: number, random: number): number {
  const base = Math.min(PAUSE_MAX_MS, 1000 * 2 ** Math.min(attempt, 10));
  return base * (0.8 + 0.4 * random);
}

/** Follows until the returned function is called. */
export function follow<T>(
  url: string,
  event: string,
  heard: (value: T) => void,
  told: (state: StreamState) => void = () => {},
  world: StreamWorld = browserWorld,
): () => void {
  let source: Source | undefined;
  let cancel = () => {};
  let failures = 0;
  let over = false;

  const connect = () => {
    if (over) return;
    told('connecting');
    const opened = world.open(url);
    source = opened;
    opened.addEventListener('open', () => told('live'));
    opened.addEventListener(event, ({ data }) => {
      failures = 0;
      told('live');
      if (data !== undefined) heard(JSON.parse(data) as T);
    });
    opened.addEventListener('error', () => {
      opened.close();
      if (over || source !== opened) return;
      told('waiting');
      cancel = world.after(pauseBefore(failures, Math.random()), connect);
      failures += 1;
    });
  };

  connect();
  return () => {
    over = true;
    cancel();
    source?.close();
  };
}
