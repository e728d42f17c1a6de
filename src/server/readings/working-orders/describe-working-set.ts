import type { WorkingDrop } from '#contract/desk/desk.ts';
import { VenueFailure } from '#server/core/venue-failure.ts';
import { provenanceOfAll, type Provenance } from '#server/core/provenance.ts';
import { describe, type Part } from './part.ts';
import type { MissingPart, Split } from './read-in-parts.ts';

/**
 * The working set with its completeness check, as JSON: `{orders, complete, parts, round_seconds, read_from, read_to,
 * unproven, drop}`. The text of the orders is the exchange's. An order that changed between `read_from` and `read_to` may be
 * in two parts or in none.
 */
export function describeWorkingSet(
  { parts, missing, roundMs = 0 }: Split,
  doubts: readonly string[],
  drop: WorkingDrop | null = null,
): string {
  const [first] = missing;
  if (parts.length === 0 && first !== undefined) throw new VenueFailure(first.because);
  const times = parts.map(({ provenance }) => provenance.answeredAt);
  const unproven = [...(drop === null ? [] : describeDrop(drop)), ...doubts];
  const proof = JSON.stringify({
    complete: unproven.length === 0,
    unproven,
    drop,
    parts: parts.map((part) => ({
      filter: part.filter,
      count: part.rows.length,
      read_at: new Date(part.provenance.answeredAt).toISOString(),
    })),
    round_seconds: roundMs === 0 || parts.length + missing.length === 1 ? null : Math.ceil(roundMs / SECOND_MS),
    read_from: times.length === 0 ? null : new Date(Math.min(...times)).toISOString(),
    read_to: times.length === 0 ? null : new Date(Math.max(...times)).toISOString(),
  });
  return `${proof.slice(0, -1)},"orders":[${ordersText(parts)}]}`;
}

/** Why the set cannot be proven complete, a sentence each. */
export function findDoubts({ parts, unproven, missing }: Split, now: number): readonly string[] {
  return [...describeMissing(missing, now), ...unproven, ...findInconsistencies(parts)];
}

/** Why a reading that lacks many orders is not proven complete; none where it is believed. */
export function describeDrop({ state, orders, working }: WorkingDrop): readonly string[] {
  if (state === 'in doubt')
    return [
      `${orders.toLocaleString('en-US')} orders are no longer listed. The order history is being read to see what became of them.`,
    ];
  if (state !== 'contradicted') return [];
  const missing = `${orders.toLocaleString('en-US')} orders of the last complete reading are missing.`;
  if (working === null) return [`The list lacks orders that are working. ${missing}`];
  return [`The order history has ${working.toLocaleString('en-US')} working orders that are not listed. ${missing}`];
}

/** The oldest part counts. Each is read again in its turn whenever the whole is requested. */
export function provenanceOfSplit({ parts }: Pick<Split, 'parts'>, reuseSeconds: number): Provenance | undefined {
  const [first, ...others] = parts.map(({ provenance }) => provenance);
  return first && (others.length === 0 ? first : provenanceOfAll([first, ...others], reuseSeconds));
}

const MAX_NAMED = 3;
const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;

/** To the minute, so that the text stays the same for a while and the browser can revalidate it. */
function describeMissing(missing: readonly MissingPart[], now: number): readonly string[] {
  const [first] = missing;
  if (first === undefined) return [];
  const continuesAt = now + (first.because.retryAfterSeconds ?? 0) * 1_000;
  const time = new Date(Math.ceil(continuesAt / MINUTE_MS) * MINUTE_MS).toISOString().slice(11, 16);
  const named = missing
    .slice(0, MAX_NAMED)
    .map(({ filter }) => describe(filter))
    .join('; ');
  const others = missing.length > MAX_NAMED ? ` and ${String(missing.length - MAX_NAMED)} more` : '';
  return [`Not read yet because the request budget is exhausted: ${named}${others}. Reading continues by ${time} UTC.`];
}

function ordersText(parts: readonly Part[]): string {
  return parts
    .filter(({ text }) => text !== '')
    .map(({ text }) => text)
    .join(',');
}

/** Evidence that the parts are not what was requested: orders that do not match their filter, or orders in two parts. */
function findInconsistencies(parts: readonly Part[]): readonly string[] {
  return [...parts.flatMap(({ doubts }) => doubts), ...repeatedAcross(parts)];
}

function repeatedAcross(parts: readonly Part[]): readonly string[] {
  const seen = new Set<unknown>();
  let repeated = 0;
  for (const row of parts.flatMap(({ rows }) => rows)) {
    if (seen.has(row['id'])) repeated += 1;
    seen.add(row['id']);
  }
  return repeated === 0 ? [] : [`Orders received more than once: ${String(repeated)}.`];
}
