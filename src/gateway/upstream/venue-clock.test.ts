import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createVenueClock } from './venue-clock.ts';

const NOW = Date.UTC(2026, 7, 17, 12);

interface Exchange {
  /** Since the one before it. */
  readonly after: number;
  /** How long the question took to get there, and the answer to come back. */
  readonly there: number;
  readonly back: number;
}

/** A venue whose clock is so far ahead, and so much faster; its `Date` tells whole seconds, as every venue's does. */
function openVenue(ahead: number, faster = 0) {
  const clock = createVenueClock();
  let now = NOW;
  const offsetAt = (at: number): number => ahead + (at - NOW) * faster;
  return {
    clock,
    exchange: ({ after, there, back }: Exchange): void => {
      const sentAt = now + after;
      const answeredAt = sentAt + there;
      now = answeredAt + back;
      clock.learn(new Date(answeredAt + offsetAt(answeredAt)).toUTCString(), sentAt, now);
    },
    error: (): number => Math.abs((clock.offsetMs() ?? NaN) - offsetAt(now)),
  };
}

const exchanges = fc.array(fc.record({ after: fc.integer({ min: 0, max: 600_000 }), there: fc.integer({ min: 0, max: 5_000 }), back: fc.integer({ min: 0, max: 5_000 }) }), { minLength: 1, maxLength: 40 });
const ahead = fc.integer({ min: -90_000_000, max: 90_000_000 });

describe('how far the venue’s clock is ahead', () => {
  it('is not known before an answer tells it', () => {
    const clock = createVenueClock();
    expect(clock.offsetMs()).toBeNull();
    clock.learn(undefined, NOW, NOW);
    clock.learn('yesterday', NOW, NOW);
    clock.learn('', NOW, NOW);
    expect(clock.offsetMs()).toBeNull();
  });

  it('is never further off than half of what the best answer left open', () => {
    fc.assert(
      fc.property(ahead, exchanges, (offset, all) => {
        const venue = openVenue(offset);
        let open = Infinity;
        for (const exchange of all) {
          venue.exchange(exchange);
          const elapsed = exchange.after + exchange.there + exchange.back;
          open = Math.min(open + 2 * elapsed * 1e-4, 1_000 + exchange.there + exchange.back);
          expect(venue.error()).toBeLessThanOrEqual(open / 2 + 1);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('is as good where one clock is faster than the other, as clocks are', () => {
    fc.assert(
      fc.property(ahead, fc.integer({ min: -50, max: 50 }), exchanges, (offset, perMillion, all) => {
        const venue = openVenue(offset, perMillion / 1e6);
        for (const exchange of all) {
          venue.exchange(exchange);
          expect(venue.error()).toBeLessThanOrEqual((1_000 + exchange.there + exchange.back) / 2 + 1);
        }
      }),
    );
  });

  it('is known to a few milliseconds after a minute of answers that come at any part of a second', () => {
    const venue = openVenue(12_345);
    for (let number = 0; number < 60; number++) venue.exchange({ after: 1_017, there: 5, back: 5 });
    expect(venue.error()).toBeLessThan(30);
  });

  it('is learnt anew from one answer after a clock was set', () => {
    fc.assert(
      fc.property(ahead, fc.integer({ min: 4_000, max: 90_000_000 }), fc.boolean(), (before, jump, isForward) => {
        const clock = createVenueClock();
        const after = before + (isForward ? jump : -jump);
        for (const offset of [before, after]) clock.learn(new Date(NOW + 20 + offset).toUTCString(), NOW, NOW + 40);
        expect(Math.abs((clock.offsetMs() ?? NaN) - after)).toBeLessThanOrEqual(521);
      }),
    );
  });
});
