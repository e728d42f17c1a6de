import { VenueFailure } from '../ports.ts';
import { provenanceOfAll, type Provenance } from './provenance.ts';
import { findFlaws } from './working-proof.ts';
import { describe, type MissingPart, type Part, type Split } from './working-parts.ts';

/**
 * The working set with its proof, as JSON: `{orders, complete, parts, round_seconds, read_from, read_to, unproven}`. The orders' own
 * text is the venue's. They were read within `read_from` to `read_to`: what moved meanwhile may be in two parts or none.
 */
export function describeWorkingSet({ parts, unproven, missing, roundMs = 0 }: Split, now: number): string {
  const [first] = missing;
  if (parts.length === 0 && first !== undefined) throw new VenueFailure(first.because);
  const doubts = [...describeMissing(missing, now), ...unproven, ...findFlaws(parts)];
  const times = parts.map(({ provenance }) => provenance.answeredAt);
  const proof = JSON.stringify({
    complete: doubts.length === 0,
    unproven: doubts,
    parts: parts.map((part) => ({ filter: part.filter, count: part.rows.length, read_at: new Date(part.provenance.answeredAt).toISOString() })),
    round_seconds: roundMs === 0 || parts.length + missing.length === 1 ? null : Math.ceil(roundMs / SECOND_MS),
    read_from: times.length === 0 ? null : new Date(Math.min(...times)).toISOString(),
    read_to: times.length === 0 ? null : new Date(Math.max(...times)).toISOString(),
  });
  return `${proof.slice(0, -1)},"orders":[${ordersText(parts)}]}`;
}

/** Of several parts the oldest counts. Each is read again in its turn, whenever the whole is asked for. */
export function provenanceOfSplit({ parts }: Pick<Split, 'parts'>, reuseSeconds: number): Provenance | undefined {
  const [first, ...others] = parts.map(({ provenance }) => provenance);
  return first && (others.length === 0 ? first : provenanceOfAll([first, ...others], reuseSeconds));
}

const MOST_NAMED = 3;
const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;

/** To the minute: who asks again meanwhile is told the same, and need not be sent it again. */
function describeMissing(missing: readonly MissingPart[], now: number): readonly string[] {
  const [first] = missing;
  if (first === undefined) return [];
  const goesOnAt = now + (first.because.retryAfterSeconds ?? 0) * 1_000;
  const time = new Date(Math.ceil(goesOnAt / MINUTE_MS) * MINUTE_MS).toISOString().slice(11, 16);
  const named = missing.slice(0, MOST_NAMED).map(({ filter }) => describe(filter)).join('; ');
  const others = missing.length > MOST_NAMED ? ` and ${String(missing.length - MOST_NAMED)} more` : '';
  return [`Not read yet, because the request budget is spent: ${named}${others}. Reading goes on by ${time} UTC.`];
}

function ordersText(parts: readonly Part[]): string {
  return parts.filter(({ text }) => text !== '').map(({ text }) => text).join(',');
}
