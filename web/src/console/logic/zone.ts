// Wall clocks: a moment as people in a time zone write it, and back. Pure.

interface Wall {
  year: number;
  month: number;
  day: number;
  hour: number;
  minute: number;
  second: number;
}

const formats = new Map<string, Intl.DateTimeFormat>();

function formatFor(zone: string): Intl.DateTimeFormat {
  let format = formats.get(zone);
  if (!format) {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
    });
    formats.set(zone, format);
  }
  return format;
}

export function isZone(zone: string): boolean {
  try {
    formatFor(zone);
    return zone !== '';
  } catch {
    return false;
  }
}

function wallOf(ms: number, zone: string): Wall {
  const parts = Object.fromEntries(
    formatFor(zone)
      .formatToParts(ms)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const { year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0 } = parts;
  return { year, month, day, hour, minute, second };
}

/** How far the zone's clocks are ahead of UTC at a moment, in whole seconds. */
function aheadMs(ms: number, zone: string): number {
  const { year, month, day, hour, minute, second } = wallOf(ms, zone);
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(ms / 1000) * 1000;
}

const two = (n: number) => String(n).padStart(2, '0');

/** `2026-11-15T08:00`, with seconds where they are not zero; what `datetime-local` inputs hold. */
export function toWall(ms: number, zone: string): string {
  const { year, month, day, hour, minute, second } = wallOf(ms, zone);
  const base = `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}T${two(hour)}:${two(minute)}`;
  return second === 0 ? base : `${base}:${two(second)}`;
}

/** The moment at which the zone's clocks show this. Of an hour that comes twice it is the first; of one that is left
 *  out, as far after the gap as it is into it. */
export function fromWall(text: string, zone: string): number | undefined {
  const match = /^(\d{4,6})-(\d\d)-(\d\d)T(\d\d):(\d\d)(?::(\d\d))?/.exec(text);
  if (!match) return undefined;
  const [year, month, day, hour, minute, second] = match.slice(1).map((part) => Number(part ?? 0));
  const utc = Date.UTC(year ?? 0, (month ?? 1) - 1, day, hour, minute, second ?? 0);
  if (Number.isNaN(utc)) return undefined;
  const day_ms = 86_400_000;
  const offsets = [...new Set([aheadMs(utc - day_ms, zone), aheadMs(utc + day_ms, zone)])];
  const fits = offsets.map((ahead) => utc - ahead).filter((ms) => aheadMs(ms, zone) === utc - ms);
  return fits.length > 0 ? Math.min(...fits) : utc - (offsets[0] ?? 0);
}
