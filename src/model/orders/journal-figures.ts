import type { ActivityCounts, DeskJournalActivity } from '#contract/desk/journal.ts';
import { toNumber } from '#contract/exchange/brand.ts';
import type { DeskStatus } from '#contract/desk/status.ts';

/** Counts what senders did with orders: placed, modified, or closed them before they filled completely. */
function countOrderMessages({
  placed,
  modified,
  ended_partly_filled: partly,
  ended_unfilled: unfilled,
}: ActivityCounts): number {
  return placed + modified + partly + unfilled;
}

/** Returns null without fills. */
export function toOrderToTrade(counts: ActivityCounts): number | null {
  return counts.fills === 0 ? null : countOrderMessages(counts) / counts.fills;
}

/** Returns how much of the order quantity of ended orders was filled, from 0 to 1; null if no order ended. */
export function toShareFilled({ quantity_ended: ended, quantity_ended_filled: filled }: ActivityCounts): number | null {
  return toNumber(ended) === 0 ? null : toNumber(filled) / toNumber(ended);
}

/** The part of a period that may be unread before its ratios are withheld: a reading may fail once. */
const MOST_UNREAD = 0.01;

/**
 * Returns whether ratios are withheld. In a gap, orders are modified unseen, but their fills are found later, so a ratio
 * would be wrong.
 */
export function isRatioWithheld({
  from,
  to,
  unread_seconds: unread,
}: Pick<DeskJournalActivity, 'from' | 'to' | 'unread_seconds'>): boolean {
  const seconds = from === null || to === null ? 0 : (Date.parse(to) - Date.parse(from)) / 1_000;
  return unread > seconds * MOST_UNREAD;
}

/** How far the order history may be behind the readings, even where these are frequent. */
const LEAST_BEHIND_MS = 180_000;
/** The history is read between two readings, and its finds are recorded with the next one. */
const READINGS_BEHIND = 3;

/**
 * Returns whether the order history was read so long before the last reading that orders may have come and gone
 * uncounted. `intervalMs` is that of the readings.
 */
export function isHistoryBehind(historyTo: number, readTo: number, intervalMs: number): boolean {
  return readTo - historyTo > Math.max(LEAST_BEHIND_MS, READINGS_BEHIND * intervalMs);
}

type JournalStatus = DeskStatus['journal'];

/** How long the journal keeps its changes. */
export interface JournalForecast {
  /** Time between its first and its last reading. */
  readonly keptSeconds: number;
  /**
   * Time until the oldest changes are dropped, at the present rate; 0: they already are. Null if the rate is unknown:
   * the journal is too short, nothing is sealed yet, or its size is not shown.
   */
  readonly fullInSeconds: number | null;
}

/** The size of less than an hour says little about a day. */
const LEAST_SECONDS = 3_600;
/** A full journal is below its limit by the size of the changes dropped last. */
const FULL = 0.98;

/** Returns null for an empty journal. */
export function forecastJournal({
  kept_from: from,
  read_to: to,
  bytes,
  max_bytes: maxBytes,
}: JournalStatus): JournalForecast | null {
  if (from === null || to === null) return null;
  const keptSeconds = Math.max(0, (Date.parse(to) - Date.parse(from)) / 1_000);
  if (bytes === null) return { keptSeconds, fullInSeconds: null };
  if (bytes >= maxBytes * FULL) return { keptSeconds, fullInSeconds: 0 };
  if (keptSeconds < LEAST_SECONDS || bytes === 0) return { keptSeconds, fullInSeconds: null };
  return { keptSeconds, fullInSeconds: (maxBytes - bytes) / (bytes / keptSeconds) };
}
