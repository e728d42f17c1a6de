import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createVenueClock } from './venue-clock.ts';

const NOW = Date.UTC(2026, 7, 17, 12);

interface RoundTrip {
  /** Time since the previous one. */
  readonly after: number;
  /** Latency of the request; `back` is that of its response. */
  readonly there: number;
  readonly back: number;
}

/** An exchange whose clock is ahead, and faster; its `Date` has whole seconds. */
function openVenue(ahead: number, faster = 0) {
  const clock = createVenueClock();
  let now = NOW;
  const offsetAt = (at: number): number => ahead + (at - NOW) * faster;
  return {
    clock,
    roundTrip: ({ after, there, back }: RoundTrip): void => {
      const sentAt = now + after;
      const respondedAt = sentAt + there;
      now = respondedAt + back;
      clock.learn(new Date(respondedAt + offsetAt(respondedAt)).toUTCString(), sentAt, now);
    },
    error: (): number => Math.abs((clock.offsetMs() ?? NaN) - offsetAt(now)),
  };
}

const roundTrips = fc.array(
  fc.record({
    after: fc.integer({ min: 0, max: 600_000 }),
    there: fc.integer({ min: 0, max: 5_000 }),
    back: fc.integer({ min: 0, max: 5_000 }),
  }),
  { minLength: 1, maxLength: 40 },
);
const YEAR_MS = 365 * 86_400_000;
const ahead = fc.integer({ min: -20 * YEAR_MS, max: 20 * YEAR_MS });

describe('the offset of the exchange’s clock', () => {
  it('is unknown before the first response with a date', () => {
    const clock = createVenueClock();
    expect(clock.offsetMs()).toBeNull();
    clock.learn(undefined, NOW, NOW);
    clock.learn('yesterday', NOW, NOW);
    clock.learn('', NOW, NOW);
    expect(clock.offsetMs()).toBeNull();
  });

  it('is never off by more than half of the tightest bounds', () => {
    fc.assert(
      fc.property(ahead, roundTrips, (offset, all) => {
        const venue = openVenue(offset);
        let open = Infinity;
        for (const roundTrip of all) {
          venue.roundTrip(roundTrip);
          const elapsed = roundTrip.after + roundTrip.there + roundTrip.back;
          open = Math.min(open + 2 * elapsed * 1e-4, 1_000 + roundTrip.there + roundTrip.back);
          expect(venue.error()).toBeLessThanOrEqual(open / 2 + 1);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('is as accurate if one clock is faster than the other', () => {
    fc.assert(
      fc.property(ahead, fc.integer({ min: -50, max: 50 }), roundTrips, (offset, perMillion, all) => {
        const venue = openVenue(offset, perMillion / 1e6);
        for (const roundTrip of all) {
          venue.roundTrip(roundTrip);
          expect(venue.error()).toBeLessThanOrEqual((1_000 + roundTrip.there + roundTrip.back) / 2 + 1);
        }
      }),
    );
  });

  it('is accurate to a few milliseconds after a minute of responses spread over the second', () => {
    const venue = openVenue(12_345);
    for (let number = 0; number < 60; number++) venue.roundTrip({ after: 1_017, there: 5, back: 5 });
    expect(venue.error()).toBeLessThan(30);
  });

  it('is measured anew from one response after a clock was set', () => {
    fc.assert(
      fc.property(ahead, ahead, (before, after) => {
        fc.pre(Math.abs(after - before) >= 4_000);
        const clock = createVenueClock();
        for (const offset of [before, after]) clock.learn(new Date(NOW + 20 + offset).toUTCString(), NOW, NOW + 40);
        expect(Math.abs((clock.offsetMs() ?? NaN) - after)).toBeLessThanOrEqual(521);
      }),
    );
  });
});

describe('a date that cannot be the time', () => {
  const AHEAD_MS = 5_000;
  const dateOf = (offset: number): string => new Date(NOW + offset).toUTCString();

  it.each([
    ['of 1970', 'Thu, 01 Jan 1970 00:00:00 GMT'],
    ['of 9999', 'Fri, 31 Dec 9999 23:59:59 GMT'],
    ['of the last year of all', '+275760-09-13T00:00:00Z'],
    ['of the last century', 'Fri, 31 Dec 1999 23:59:59 GMT'],
    ['of the next century', 'Fri, 01 Jan 2100 00:00:00 GMT'],
    ['in another form', new Date(NOW).toISOString()],
  ])('%s changes nothing that was measured, and is reported until a usable one arrives', (_, date) => {
    const clock = createVenueClock();
    clock.learn(date, NOW, NOW);
    expect([clock.offsetMs(), clock.ignoredDate(), clock.hasSynced()]).toEqual([null, date, true]);
    clock.learn(dateOf(AHEAD_MS), NOW, NOW);
    const measured = clock.offsetMs();
    expect(clock.ignoredDate()).toBeNull();
    clock.learn(date, NOW, NOW);
    expect([clock.offsetMs(), clock.ignoredDate()]).toEqual([measured, date]);
  });

  it('is still reported after a response without a date', () => {
    const clock = createVenueClock();
    clock.learn('tomorrow', NOW, NOW);
    clock.learn(undefined, NOW, NOW);
    expect(clock.ignoredDate()).toBe('tomorrow');
  });

  it('is none of this century, however far from our clock', () => {
    const clock = createVenueClock();
    for (const date of ['Sat, 01 Jan 2000 00:00:00 GMT', 'Thu, 31 Dec 2099 23:59:59 GMT']) {
      clock.learn(date, NOW, NOW);
      expect([Math.abs((clock.offsetMs() ?? NaN) - (Date.parse(date) - NOW)) <= 500, clock.ignoredDate()]).toEqual([
        true,
        null,
      ]);
    }
  });
});
