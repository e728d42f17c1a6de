import { type Day, isDay } from '#contract/exchange/instant.ts';
import { NO_VALUE } from './number.ts';

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const;

/** Formats a session's date: `17 Aug 2026`. No time zone applies. */
export function formatDay(day: Day): string {
  const [year = '', month = '', date = ''] = day.split('-');
  return `${String(Number(date))} ${MONTHS[Number(month) - 1] ?? month} ${year}`;
}

/** Parses a day as ISO 8601, whatever the reader's locale; null if the text is not a day. */
export function readDay(text: string): Day | null {
  const day = text.trim();
  return isDay(day) ? day : null;
}

/** The clock by which a time is shown. */
export const ZONES = ['utc', 'local', 'chicago'] as const;
export type Zone = (typeof ZONES)[number];

export const ZONE_NAMES: Readonly<Record<Zone, string>> = { utc: 'UTC', local: 'local', chicago: 'Chicago' };

type ZoneOfPlace = Exclude<Zone, 'utc'>;

const PLACES: Readonly<Record<ZoneOfPlace, string | undefined>> = { local: undefined, chicago: 'America/Chicago' };

const formatters = new Map<ZoneOfPlace, Intl.DateTimeFormat>();

function formatterOf(zone: ZoneOfPlace): Intl.DateTimeFormat {
  const known = formatters.get(zone);
  if (known !== undefined) return known;
  const timeZone = PLACES[zone];
  const parts = {
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  } as const;
  const made = new Intl.DateTimeFormat('en-CA', {
    ...parts,
    hourCycle: 'h23',
    ...(timeZone !== undefined && { timeZone }),
  });
  formatters.set(zone, made);
  return made;
}

/** `2026-11-20 08:00:00 UTC`. */
export function formatInstant(epochMs: number, zone: Zone): string {
  return formatWith(epochMs, '', zone);
}

/** `08:00:00 UTC`, for times of today. */
export function formatTimeOfDay(epochMs: number, zone: Zone): string {
  return formatInstant(epochMs, zone).slice('2026-11-20 '.length);
}

/**
 * Formats a time in all three zones, one per line, for a tooltip. An instant from the exchange keeps all its fraction
 * digits, which are the same in every zone; a `Date` would drop some.
 */
export function formatInAllZones(at: number | string): string {
  const [epochMs, fraction] = typeof at === 'number' ? [at, ''] : [Date.parse(at), /\.\d+/.exec(at)?.[0] ?? ''];
  if (Number.isNaN(epochMs)) return String(at);
  return (Object.keys(ZONE_NAMES) as Zone[]).map((zone) => formatWith(epochMs, fraction, zone)).join('\n');
}

/** Shows an invalid time as missing, because `Date` would throw. */
function formatWith(epochMs: number, fraction: string, zone: Zone): string {
  if (Number.isNaN(epochMs)) return NO_VALUE;
  return `${toText(epochMs, zone)}${fraction} ${ZONE_NAMES[zone]}`;
}

/** UTC uses no formatter: creating one takes a phone as long as drawing a list. */
function toText(epochMs: number, zone: Zone): string {
  if (zone === 'utc') return new Date(epochMs).toISOString().slice(0, '2026-11-20T08:00:00'.length).replace('T', ' ');
  return formatterOf(zone).format(epochMs).replace(', ', ' ');
}

/** `4 s`, `12 min`, `3 h 05 min`, `2 d 4 h`. */
export function formatDuration(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  if (whole < 60) return `${whole} s`;
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return `${hours} h ${String(minutes % 60).padStart(2, '0')} min`;
  return `${Math.floor(hours / 24)} d ${hours % 24} h`;
}

/** Formats the day of an instant in a zone: `2026-11-20`. */
export function formatDayIn(epochMs: number, zone: Zone): string {
  return formatInstant(epochMs, zone).slice(0, '2026-11-20'.length);
}

/** `6:54:12`. */
export function formatCountdown(seconds: number): string {
  const whole = Math.ceil(seconds);
  const pad = (value: number): string => String(value).padStart(2, '0');
  return `${String(Math.floor(whole / 3_600))}:${pad(Math.floor(whole / 60) % 60)}:${pad(whole % 60)}`;
}
