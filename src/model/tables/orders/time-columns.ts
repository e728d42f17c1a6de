import { compareInstants, type Instant } from '#contract/exchange/instant.ts';
import { NO_VALUE } from '../../format/number.ts';
import { toAgeSeconds, type OrderRow } from '../../orders/order-row.ts';
import { createRangeTest } from '../../time/written-time.ts';
import { formatDuration, formatInstant, ZONE_NAMES, type Zone } from '../../format/format-time.ts';
import { numberColumn, quiet, type Column } from './column-kinds.ts';
import { NOT_AVAILABLE } from './figure-text.ts';
import { toMillis } from '../../time/session.ts';

const SPAN = /[\d dhmins]/i;
const STAMP = /[\d.: -]/;
const HOUR = 3_600;

interface TimeColumns {
  readonly age: Column;
  readonly times: readonly Column[];
}

export function createTimeColumns({ zone }: { readonly zone: Zone }): TimeColumns {
  const toText = (instant: Instant): string => formatMoment(instant, zone);
  const zoneName = ZONE_NAMES[zone];
  return {
    age: {
      ...numberColumn('age', 'Age', 112, toAgeHours),
      filterUnit: 'hours',
      near: (row) => toUnitAround(toAgeHours(row)),
      alphabet: SPAN,
      ages: true,
      text: (row) => toAgeText(toAgeSeconds(row)),
      copied: (row) => formatDuration(toAgeSeconds(row) ?? NaN),
      tone: quiet,
      tooltip:
        'Time since the exchange accepted the order, as of the last refresh. ○ under 1 hour, ◔ under 8 ' +
        'hours, ◑ under 1 day, ● older. The age of a closed order ends with its last change. An order ' +
        'accepted just before a refresh may be missing from the list.',
    },
    times: [
      { ...timeColumn('time', 'Accepted', ({ order }) => order.time, toText), unit: zoneName },
      {
        ...timeColumn('lastModified', 'Last modified', ({ order }) => order.last_modified, toText),
        unit: zoneName,
        tooltip: 'Last change recorded by the exchange; it may lag behind the order book.',
      },
    ],
  };
}

function timeColumn(
  id: string,
  title: string,
  read: (row: OrderRow) => Instant | null,
  format: (instant: Instant) => string,
): Column {
  const text = (row: OrderRow): string => {
    const instant = read(row);
    return instant === null ? NOT_AVAILABLE : format(instant);
  };
  const within: Column['within'] = (range) => {
    const test = createRangeTest(range);
    return (row) => test(read(row), row.asOf);
  };
  return {
    id,
    title,
    kind: 'text',
    width: 180,
    text,
    value: read,
    compare: compareTimes,
    within,
    filterUnit: 'UTC',
    alphabet: STAMP,
    word: (row) => (read(row) === null ? NOT_AVAILABLE : ''),
    tone: quiet,
  };
}

function compareTimes(a: string, b: string): number {
  return compareInstants(a as Instant, b as Instant);
}

function toAgeText(seconds: number | null): string {
  return seconds === null ? NO_VALUE : `${toAgeMark(seconds)} ${formatDuration(seconds)}`;
}

/** Marks an age by a symbol that fills up with time, so that it does not depend on colour. */
function toAgeMark(seconds: number): string {
  if (seconds < HOUR) return '○';
  if (seconds < 8 * HOUR) return '◔';
  return seconds < 24 * HOUR ? '◑' : '●';
}

function toAgeHours(row: OrderRow): number | null {
  const seconds = toAgeSeconds(row);
  return seconds === null ? null : seconds / HOUR;
}

/** Returns the whole hour, or whole percent, that contains a value. */
export function toUnitAround(value: number | null): readonly [from: number, to: number] {
  const whole = Math.floor(value ?? NaN);
  return [whole, whole + 1];
}

/** Formats a time as `2026-08-17 23:45:21.496`. The fraction is cut from the raw text, since a clock would round it. */
function formatMoment(instant: Instant, zone: Zone): string {
  const millis = toMillis(instant);
  // A malformed time is shown as received.
  if (Number.isNaN(millis)) return instant;
  const time = formatInstant(millis, zone).slice(0, SECONDS);
  return `${time}.${instant.slice(20, -1).slice(0, 3).padEnd(3, '0')}`;
}

const SECONDS = '2026-08-17 23:45:21'.length;
