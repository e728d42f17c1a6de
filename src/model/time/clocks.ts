import type { Instant } from '#contract/exchange/instant.ts';
import type { Source } from '../response.ts';
import { toMillis } from './session.ts';
import { formatDuration } from '../format/format-time.ts';

/** Clocks that are set by others, as most are, differ by less. */
const APART_MS = 60_000;

/** Describes how far one clock is ahead of another: `3 d ahead of`; null if they agree. */
export function describeAhead(aheadMs: number): string | null {
  const size = Math.abs(aheadMs);
  if (size < APART_MS) return null;
  return `${formatDuration(size / 1_000).replace(/ 0 h$/, '')} ${aheadMs > 0 ? 'ahead of' : 'behind'}`;
}

/** Returns a response with the time of the exchange's clock, given how far that one is ahead of the server's. */
export function byExchangeClock<S extends Pick<Source, 'respondedAt'>>(response: S, aheadMs: number): S {
  const { respondedAt } = response;
  if (respondedAt === null || Math.abs(aheadMs) < APART_MS) return response;
  return { ...response, respondedAt: new Date(toMillis(respondedAt) + aheadMs).toISOString() as Instant };
}
