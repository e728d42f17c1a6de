import { NO_VALUE } from './number.ts';

/** Whose clock a time is shown by. */
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
 * All three zones, a line each, for the tooltip of a time. An instant from the exchange keeps every digit of its fraction,
 * which is the same in every zone; a `Date` would drop the last ones.
 */
export function formatInAllZones(at: number | string): string {
  const [epochMs, fraction] = typeof at === 'number' ? [at, ''] : [Date.parse(at), /\.\d+/.exec(at)?.[0] ?? ''];
  if (Number.isNaN(epochMs)) return String(at);
  return (Object.keys(ZONE_NAMES) as Zone[]).map((zone) => formatWith(epochMs, fraction, zone)).join('\n');
}

/** An invalid time is shown as missing: `Date` would throw. */
function formatWith(epochMs: number, fraction: string, zone: Zone): string {
  if (Number.isNaN(epochMs)) return NO_VALUE;
  return `${toText(epochMs, zone)}${fraction} ${ZONE_NAMES[zone]}`;
}

/** Creating a formatter costs a phone as much as drawing a list, so UTC does without. */
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

/** The day of an instant in a zone: `2026-11-20`. */
export function formatDayIn(epochMs: number, zone: Zone): string {
  return formatInstant(epochMs, zone).slice(0, '2026-11-20'.length);
}

/** `6:54:12`. */
export function formatCountdown(seconds: number): string {
  const whole = Math.ceil(seconds);
  const pad = (value: number): string => String(value).padStart(2, '0');
  return `${String(Math.floor(whole / 3_600))}:${pad(Math.floor(whole / 60) % 60)}:${pad(whole % 60)}`;
}
