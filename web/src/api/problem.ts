// The ways a request can fail, as types. A page shows `text` and, where there is one, the request id: that is what
// whoever runs the site needs to find it in the log.
import type { ProblemBody, ProblemCode } from './wire';

/** The server said no, in its own words and in the language that was asked for. */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly code: ProblemCode;
  readonly status: number;
  readonly field: string | undefined;
  readonly requestId: string | undefined;
  readonly retryAfterS: number | undefined;
  /** What one unit costs now, in the smallest unit of money, where it costs something else than was said. */
  readonly priceMinor: number | undefined;
  /** Where many things are wrong at once, each of them. */
  readonly flaws: ReadonlyArray<{ field: string; code: string; text: string }>;

  /** Something broke, and nobody's answer is "no": whoever runs the site can look it up. */
  get isFault(): boolean {
    return this.status >= 500;
  }

  /** What is wrong, without the API's name of the field: pages have labels for that. */
  get plain(): string {
    return withoutField(this.field, this.message);
  }

  /** The same with a page's own name of the field. */
  called(label: string): string {
    const { field, message } = this;
    return field && message.startsWith(field) ? label + message.slice(field.length) : `${label}: ${message}`;
  }

  constructor(body: Omit<ProblemBody, 'type' | 'request_id'> & { request_id: string | null }) {
    super(body.title);
    this.code = body.code;
    this.status = body.status;
    this.field = body.field ?? undefined;
    this.requestId = body.request_id ?? undefined;
    this.retryAfterS = body.retry_after_s ?? undefined;
    this.priceMinor = body.price_minor ?? undefined;
    this.flaws = body.problems ?? [];
  }
}

/** A text without the name of the field that it may begin with. */
export function withoutField(field: string | undefined, text: string): string {
  const rest = [': ', '：'].map((mark) => `${field}${mark}`).find((begin) => field && text.startsWith(begin));
  if (!rest) return text;
  const plain = text.slice(rest.length);
  return plain.charAt(0).toUpperCase() + plain.slice(1);
}

/** No answer came: the network, a restart, a proxy. Whether anything was done is not known. */
export class Lost extends Error {
  override readonly name = 'Lost';
}

/** Codes after which the same request, under the same id, may simply be sent again. */
const REPEATABLE: ReadonlySet<ProblemCode> = new Set<ProblemCode>([
  'overloaded',
  'timed_out',
  'outcome_unknown',
  'rate_limited',
  'streams_full',
]);

/** Whether asking again can help without anybody changing anything. */
export function mayRepeat(error: unknown): boolean {
  return error instanceof Lost || (error instanceof Problem && REPEATABLE.has(error.code));
}

/** Codes below 500 that speak of the caller, or come from somebody else than our server. */
const ABOUT_THE_CALLER: ReadonlySet<ProblemCode> = new Set<ProblemCode>([
  'unauthenticated',
  'banned',
  'internal',
]);
/** Statuses below 500 that say "not now" and not "no". */
const NOT_NOW = new Set([408, 425, 429]);

/**
 * Whether a write was refused for good: it was not done, and its id is free for nothing else. After anything else (no
 * answer, a server that is busy or broken, an unknown outcome, a session that ended) it may have been done, now or in an
 * earlier try, and whoever asks again has to use the same id.
 */
export function isFinalRefusal(error: unknown): boolean {
  if (!(error instanceof Problem) || ABOUT_THE_CALLER.has(error.code)) return false;
  return error.status >= 400 && error.status < 500 && !NOT_NOW.has(error.status);
}

/** Milliseconds to wait before the attempt after `failures` of them: what the server asks for, else 1, 2, 4 … 30 s. */
export function pauseMs(failures: number, error?: unknown): number {
  if (error instanceof Problem && error.retryAfterS !== undefined) return error.retryAfterS * 1000;
  return Math.min(30_000, 1000 * 2 ** Math.max(0, failures));
}

export function hasCode(error: unknown, ...codes: ProblemCode[]): error is Problem {
  return error instanceof Problem && codes.includes(error.code);
}
