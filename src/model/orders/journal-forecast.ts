import type { DeskStatus } from '#contract/desk/desk.ts';

type JournalStatus = DeskStatus['journal'];

/** How long the journal keeps what it has. */
export interface JournalForecast {
  /** From its first reading to its last. */
  readonly keptSeconds: number;
  /**
   * At its present rate, how long until its oldest changes are dropped; 0: they already are. Null: it is too short, or
   * nothing of it is sealed, or its size is not shown, so that its rate is unknown.
   */
  readonly fullInSeconds: number | null;
}

/** The size of less than an hour says little about a day. */
const LEAST_SECONDS = 3_600;
/** A full journal is smaller than its limit by what was dropped last. */
const FULL = 0.98;

/** Null: it is empty. */
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
