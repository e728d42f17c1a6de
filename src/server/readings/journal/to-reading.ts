import type { Reading } from '#server/journal/compare-reading.ts';
import type { RowReading } from '#server/core/row-list.ts';
import type { Split } from '../working-orders/read-in-parts.ts';

/** How long after a reading the next one is expected, where nobody looks. */
const QUIET_MS = 30_000;

/** The whole working set, as the journal records it. */
export function toReading({ parts }: Split, isComplete: boolean, rows?: RowReading): Reading {
  return { parts: parts.map(({ text, provenance }) => ({ text, at: provenance.answeredAt })), isComplete, rows };
}

/** One that is read in parts is complete again after a round. */
export function toExpectedMs({ roundMs = 0 }: Split): number {
  return Math.max(QUIET_MS, roundMs);
}
