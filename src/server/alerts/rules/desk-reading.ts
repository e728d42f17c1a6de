import { isExchangeAway, isFailing } from '#model/exchange-outage.ts';
import type { DeskReading } from '#model/rules/readings.ts';
import type { RateLimiter, Venue } from '#server/core/ports.ts';

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

/** What Perpdesk knows of itself without any reading. The exchange is away whenever the screens say so. */
export function toDeskReading(
  { venue, rateLimiter, lastSelfTest }: DeskReadingParts,
  startedAt: number,
  now: number,
): Pick<DeskReading, 'budget' | 'away' | 'contact' | 'drift'> {
  const [{ circuit, lastFailure, lastAnswerAt }, { limit, used }, test] = [
    venue.state(),
    rateLimiter.state(),
    lastSelfTest(),
  ];
  const record = {
    circuit,
    lastAnswerAt,
    lastFailure: lastFailure && { at: lastFailure.at, type: lastFailure.problem.type },
    startedAt,
  };
  const isAway = isExchangeAway(record, now);
  const drifted = test?.rows.filter(({ outcome }) => outcome === 'drift');
  return {
    budget: limit && { requests: limit.requests, used },
    away: isAway ? (lastFailure?.problem.detail ?? 'It has failed repeatedly.') : null,
    contact: { isInDoubt: !isAway && isFailing(record), lastAnswerAt },
    drift: drifted?.map(({ subject, remark }) => `${subject}: ${remark}`) ?? {
      missing: 'The exchange has not been tested yet.',
    },
  };
}
