// What a journey is, for the compiler: journeys are plain scripts, and `npm run check` types them by this.
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import type { startServer } from './server.mjs';

export type Server = Awaited<ReturnType<typeof startServer>>;

export interface World {
  /** A window of the journey's own. */
  page: Page;
  context: BrowserContext;
  browser: Browser;
  url: string;
  /** Moves the server's clock on, by milliseconds. */
  advance: (ms: number) => void;
  server: Server;
}

export interface Journey {
  name: string;
  window?: BrowserContextOptions;
  /** What its console may say: a part of the text is enough. */
  allow?: string[];
  run: (world: World) => Promise<void>;
}

declare global {
  interface Window {
    axe: typeof import('axe-core');
    /** Left in the page by journeys, for themselves. */
    frames_seen: { at: number[]; places: string[]; long: number; stop: boolean };
    news_before: number;
    tones: number;
  }
}
