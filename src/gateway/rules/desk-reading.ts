import type { DeskReading } from '#domain/rules/readings.ts';
import type { RateLimiter, Venue } from '../ports.ts';

/** What was found when the exchange was tested. */
interface SelfTest {
  readonly rows: readonly { readonly subject: string; readonly outcome: string; readonly remark: string }[];
}

export interface DeskReadingParts {
  readonly venue: Pick<Venue, 'state'>;
  readonly rateLimiter: Pick<RateLimiter, 'state'>;
  /** Null before the first one. */
  readonly lastSelfTest: () => SelfTest | null;
}

/** What Perpdesk knows of itself without any reading. */
export function toDeskReading({ venue, rateLimiter, lastSelfTest }: DeskReadingParts): Pick<DeskReading, 'budget' | 'away' | 'drift'> {
  const [{ circuit, lastFailure }, { limit, used }, test] = [venue.state(), rateLimiter.state(), lastSelfTest()];
  const drifted = test?.rows.filter(({ outcome }) => outcome === 'drift');
  return {
    budget: limit && { requests: limit.requests, used },
    away: circuit === 'closed' ? null : (lastFailure?.problem.detail ?? 'It has failed repeatedly.'),
    drift: drifted?.map(({ subject, remark }) => `${subject}: ${remark}`) ?? { missing: 'The exchange has not been tested yet.' },
  };
}
