import { describe, expect, it } from 'vitest';
import { ENDPOINTS } from '#contract/exchange/endpoints.ts';
import type { Instant } from '#contract/exchange/instant.ts';
import { createParser } from '#contract/parse/parse.ts';
import { toDueTimes } from '../time/overdue.ts';
import {
  describeNotCurrent,
  keepOutdated,
  listOutdated,
  markEnded,
  type Estimate,
  type Estimates,
} from './estimate.ts';

const parser = createParser(ENDPOINTS.fundingEstimated.response, 'data');
const NOON = Date.parse('2026-08-17T12:00:00Z');
const MINUTE = 60_000;

/** Received at noon by the browser's clock, and at `respondedAt` by Perpdesk's clock. */
function estimate(interval_end: string, changes: Partial<Estimate> = {}): Estimate {
  const { value } = parser.tolerant(
    JSON.stringify({ funding_rate: 0.0001, interval_start: '2026-08-17T00:00:00Z', interval_end }),
  );
  if (value === null) throw new Error('no estimate');
  const proof = {
    endpoint: 'fundingEstimated',
    target: '/',
    respondedAt: '2026-08-17T12:00:00Z' as Instant,
    receivedAt: NOON,
    ageSeconds: 0,
    cache: 'miss',
    requestId: null,
  } as const;
  return { ...proof, value, notCurrent: null, ...changes };
}

function marked(estimates: Estimates, now: number): readonly (string | null)[] {
  return [...markEnded(estimates, toDueTimes(now).fundingEstimated).values()].map(({ notCurrent }) => notCurrent);
}

const two: Estimates = new Map([
  ['BTCUC', estimate('2026-08-17T16:00:00Z')],
  ['ETHUI', estimate('2026-08-18T00:00:00Z')],
]);
const BOUNDARY = Date.parse('2026-08-17T16:00:00Z');

describe('a predicted rate', () => {
  it('is current during its interval and while it settles', () => {
    expect(marked(two, BOUNDARY - 1)).toEqual([null, null]);
    expect(marked(two, BOUNDARY + MINUTE - 1)).toEqual([null, null]);
  });

  it('is out of date once its interval is over; rates of later intervals are current', () => {
    expect(marked(two, BOUNDARY + MINUTE)).toEqual([expect.stringContaining('interval has ended'), null]);
  });

  it('expires by the exchange’s clock, not Perpdesk’s', () => {
    const hourAhead = new Map([
      ['BTCUC', estimate('2026-08-17T16:00:00Z', { respondedAt: '2026-08-17T13:00:00Z' as Instant })],
    ]);
    expect(marked(hourAhead, BOUNDARY - 59 * MINUTE)).toEqual([null]);
    expect(marked(hourAhead, BOUNDARY + MINUTE)).toEqual([expect.stringContaining('interval has ended')]);
  });

  it('keeps an earlier reason', () => {
    const failed = new Map([['BTCUC', estimate('2026-08-17T16:00:00Z', { notCurrent: 'The venue is away.' })]]);
    expect(marked(failed, BOUNDARY + MINUTE)).toEqual(['The venue is away.']);
  });
});

describe('the description of predicted rates that are out of date', () => {
  it('is null while all are current', () => {
    expect(describeNotCurrent(two)).toBeNull();
  });

  it('names one, the number of others and the reason', () => {
    const old = new Map([...two].map(([symbol, each]) => [symbol, { ...each, notCurrent: 'The venue is away.' }]));
    expect(describeNotCurrent(old)).toBe('BTCUC and 1 more: The venue is away.');
  });
});

describe('a predicted rate whose successor could not be read', () => {
  const refused = new Map([
    ['BTCUC', estimate('2026-08-17T16:00:00Z', { notCurrent: 'Request budget exhausted.', ageSeconds: 15 })],
    ['ETHUI', estimate('2026-08-17T16:00:00Z')],
  ]);

  it('stays current for a hundredth of its interval', () => {
    expect(listOutdated(refused, NOON)).toEqual([]);
    expect(listOutdated(refused, NOON + 4.5 * MINUTE)).toEqual([]);
    expect(listOutdated(refused, NOON + 4.8 * MINUTE)).toEqual(['BTCUC']);
  });

  it('is marked with the reason only once it is old', () => {
    expect([[], ['BTCUC']].map((outdated) => keepOutdated(refused, outdated).get('BTCUC')?.notCurrent)).toEqual([
      null,
      'Request budget exhausted.',
    ]);
  });
});
