import { formatInstant, parseInstant, toEpochMillis, type EpochNanos } from '#contract/exchange/instant.ts';
import { parseKeepingDigits } from '#contract/parse/json-text.ts';
import { wireText } from '#contract/exchange/row-notes.ts';
import { POINT_REACH, PREDICTED_RATE_POINTS } from '#contract/desk/funding.ts';
import type { Change, Read, Row } from '#sql/driver.ts';
import type { ResponseListeners } from '#server/core/ports.ts';
import type { Store } from '#server/store/store.ts';
import type { PrintRow } from './funding-store.ts';

interface Estimate {
  readonly baseSymbol: string;
  readonly endAt: string;
  /** The part of the interval that has passed, 0 to 1. */
  readonly share: number;
  /** The predicted rate with all digits of the exchange. */
  readonly estimate: string;
  readonly readAt: number;
}

interface StoredEstimate extends Estimate {
  readonly settled: string | null;
}

/** An interval of a predicted rate in epoch milliseconds. */
export interface EstimatedInterval {
  readonly start: number;
  readonly end: number;
  /** Its end with nine fractional digits. */
  readonly endAt: string;
}

interface EstimateFilter {
  readonly baseSymbol: string | null;
  /** Only of intervals that ended then or later, with nine fractional digits; all if empty. */
  readonly from: string;
  /** Only those shortly before one of the points of an interval at which predictions are compared. */
  readonly nearPoints: boolean;
}

/** Stored predicted rates with the rates that settled: the last one of each hundredth of an interval. */
export interface EstimateStore {
  readonly put: (read: Estimate) => Promise<void>;
  /** Stores the predicted rate of a response. An unreadable one is skipped; the screen reports it. */
  readonly note: NonNullable<ResponseListeners['fundingEstimated']>;
  /** Adds settled rates, and replaces them if they have been revised. */
  readonly settle: (baseSymbol: string, prints: readonly PrintRow[]) => Promise<void>;
  readonly list: (filter: EstimateFilter) => Promise<readonly StoredEstimate[]>;
  /** Whether a predicted rate is stored from this share of an interval or later. False if that cannot be read. */
  readonly isReadSince: (baseSymbol: string, endAt: string, share: number) => Promise<boolean>;
}

const STEPS = 100;
const CHECK_EVERY = 500;

const INSERT = `INSERT INTO funding_estimate (venue, base_symbol, end_at, step, share, estimate, read_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7)
  ON CONFLICT (venue, base_symbol, end_at, step) DO UPDATE
  SET share = excluded.share, estimate = excluded.estimate, read_at = excluded.read_at
  WHERE funding_estimate.settled IS NULL`;
const DROP = `DELETE FROM funding_estimate
  WHERE end_at < (SELECT end_at FROM funding_estimate ORDER BY end_at DESC LIMIT 1 OFFSET CAST($1 AS bigint))`;
const LIST =
  'SELECT base_symbol, end_at, share, estimate, settled, read_at FROM funding_estimate WHERE venue = $1 AND end_at >= $2';
const NEAR_POINTS = PREDICTED_RATE_POINTS.map(
  (point) => `share BETWEEN ${String((point - POINT_REACH) / 100)} AND ${String(point / 100)}`,
).join(' OR ');
const ORDER = 'ORDER BY end_at DESC, base_symbol, share';

/** Keeps at most `most` predicted rates, dropping those of the oldest intervals. */
export function createEstimateStore(
  { read, tryToRead, tryToWrite }: Store,
  venueId: string,
  most: number,
): EstimateStore {
  let stored = 0;
  const insert = ({ baseSymbol, endAt, share, estimate, readAt }: Estimate): Change => {
    const step = Math.min(Math.floor(share * STEPS), STEPS - 1);
    return {
      name: 'put estimate',
      sql: INSERT,
      values: [venueId, baseSymbol, endAt, step, share, estimate, Math.round(readAt)],
    };
  };
  const drop: Change = { name: 'drop estimates', sql: DROP, values: [most] };
  const predicted = (baseSymbol: string, from: string): Read => ({
    name: 'predicted intervals',
    sql:
      'SELECT DISTINCT end_at, settled FROM funding_estimate ' +
      'WHERE venue = $1 AND base_symbol = $2 AND end_at >= $3',
    values: [venueId, baseSymbol, from],
  });
  const settle = (baseSymbol: string, endAt: string, rate: string): Change => ({
    name: 'settle estimates',
    sql: 'UPDATE funding_estimate SET settled = $1 WHERE venue = $2 AND base_symbol = $3 AND end_at = $4',
    values: [rate, venueId, baseSymbol, endAt],
  });
  const list = ({ baseSymbol, from, nearPoints }: EstimateFilter): Read => {
    const listed = `${LIST}${nearPoints ? ` AND (${NEAR_POINTS})` : ''}`;
    const name = `estimates${nearPoints ? ' near points' : ''}`;
    return baseSymbol === null
      ? { name, sql: `${listed} ${ORDER}`, values: [venueId, from] }
      : {
          name: `${name} of perpetual`,
          sql: `${listed} AND base_symbol = $3 ${ORDER}`,
          values: [venueId, from, baseSymbol],
        };
  };
  const readSince = (baseSymbol: string, endAt: string, share: number): Read => ({
    name: 'estimate since',
    sql:
      'SELECT step FROM funding_estimate ' +
      'WHERE venue = $1 AND base_symbol = $2 AND end_at = $3 AND share >= $4 LIMIT 1',
    values: [venueId, baseSymbol, endAt, share],
  });
  const put: EstimateStore['put'] = (estimate) =>
    tryToWrite(async ({ write }) => {
      await write(stored % CHECK_EVERY === 0 ? [insert(estimate), drop] : [insert(estimate)]);
      stored += 1;
    });
  return {
    put,
    note: (...read) => {
      const estimate = toEstimate(...read);
      if (estimate !== null) void put(estimate);
    },
    settle: async (baseSymbol, prints) => {
      const byEnd = Map.groupBy(prints, ({ endAt }) => endAt);
      const [from] = [...byEnd.keys()].sort();
      if (from === undefined) return;
      const rows = await tryToRead((store) => store.read(predicted(baseSymbol, from)));
      const steps = (rows ?? []).flatMap(([end, settled]) => {
        const rate = rateOf(byEnd.get(String(end)) ?? []);
        return rate === null || rate === settled ? [] : settle(baseSymbol, String(end), rate);
      });
      if (steps.length > 0) await tryToWrite(({ write }) => write(steps));
    },
    list: async (filter) => (await read((store) => store.read(list(filter)))).map(toStored),
    isReadSince: async (baseSymbol, endAt, share) =>
      ((await tryToRead((store) => store.read(readSince(baseSymbol, endAt, share)))) ?? []).length > 0,
  };
}

/** Returns the predicted rate of a response; null if it is unreadable or not for the current interval. */
function toEstimate(
  ...[{ pathParameters }, { body, respondedAt }, offsetMs]: Parameters<EstimateStore['note']>
): Estimate | null {
  const text = body.toString();
  const interval = toInterval(text);
  const estimate = toRate(text);
  if (interval === null || estimate === null) return null;
  const { start, end, endAt } = interval;
  const share = (respondedAt + offsetMs - start) / (end - start);
  if (share < 0 || share > 1) return null;
  return { baseSymbol: pathParameters['base_symbol'] ?? '', endAt, share, estimate, readAt: respondedAt };
}

/** Returns the interval of a response with a predicted rate; null if it is unreadable. */
export function toInterval(text: string): EstimatedInterval | null {
  const row = parse(text);
  const [start, end] = [parseTime(row['interval_start']), parseTime(row['interval_end'])];
  if (start === null || end === null || start >= end) return null;
  return { start: toEpochMillis(start), end: toEpochMillis(end), endAt: formatInstant(end) };
}

function parseTime(value: unknown): EpochNanos | null {
  return typeof value === 'string' ? parseInstant(value) : null;
}

function parse(text: string): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(text) as Readonly<Record<string, unknown>>;
  } catch {
    return {};
  }
}

/**
 * Returns the settled rate of an interval as the exchange wrote it; null if there is none, or several contradict each
 * other.
 */
function rateOf(prints: readonly PrintRow[]): string | null {
  const rates = new Set(prints.map(({ text }) => toRate(text)));
  const [rate = null] = rates;
  return rates.size === 1 ? rate : null;
}

/** Returns the rate of a row with all its digits; null if it is not a number. */
function toRate(text: string): string | null {
  // A stored row may be anything that the exchange sent in place of one.
  const row = parseKeepingDigits(text) as { readonly funding_rate?: number } | null;
  return typeof row?.funding_rate === 'number' ? (wireText(row, 'funding_rate') ?? null) : null;
}

function toStored([baseSymbol, endAt, share, estimate, settled, readAt]: Row): StoredEstimate {
  return {
    baseSymbol: String(baseSymbol),
    endAt: String(endAt),
    share: Number(share),
    estimate: String(estimate),
    settled: typeof settled === 'string' ? settled : null,
    readAt: Number(readAt),
  };
}
