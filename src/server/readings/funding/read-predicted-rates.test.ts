import { expect, test } from 'vitest';
import { formatInstant, toEpochNanos } from '#contract/exchange/instant.ts';
import { VenueFailure } from '#server/core/venue-failure.ts';
import { createFakeClock } from '#testing/fake-clock.ts';
import { createPredictedRateReads, type PredictedRateReadsDeps } from './read-predicted-rates.ts';

const HOUR = 3_600_000;
const MINUTE = 60_000;
/** A funding time. */
const START = Date.UTC(2026, 7, 17);
const SYMBOLS = Array.from({ length: 17 }, (_, index) => `P${String(index).padStart(2, '0')}`);

function open(changes: Partial<PredictedRateReadsDeps> = {}, intervalMs = 8 * HOUR, symbols = SYMBOLS) {
  const clock = createFakeClock(START);
  const sent: { readonly symbol: string; readonly at: number }[] = [];
  const logged: string[] = [];
  const reads = createPredictedRateReads({
    symbols: () => Promise.resolve(symbols),
    read: (symbol) => {
      sent.push({ symbol, at: clock.now() - START });
      const start = START + Math.floor((clock.now() - START) / intervalMs) * intervalMs;
      const [interval_start, interval_end] = [start, start + intervalMs].map((at) => formatInstant(toEpochNanos(at)));
      return Promise.resolve(JSON.stringify({ interval_start, interval_end }));
    },
    estimates: { isReadSince: () => Promise.resolve(false) },
    mayRead: () => true,
    venueNow: clock.now,
    elapsed: clock.elapsed,
    schedule: clock.schedule,
    log: (_, event) => logged.push(event),
    ...changes,
  });
  reads.start();
  return { clock, sent, reads, logged };
}

type Sent = ReturnType<typeof open>['sent'];

function countBySymbol(sent: Sent, from: number, to: number): readonly number[] {
  const within = sent.filter(({ at }) => at >= from && at < to);
  return SYMBOLS.map((symbol) => within.filter((each) => each.symbol === symbol).length);
}

function mostWithin(sent: Sent, milliseconds: number): number {
  return Math.max(...sent.map(({ at }) => sent.filter((each) => each.at >= at && each.at < at + milliseconds).length));
}

test('each perpetual is read once in each twentieth of its interval, at most six of them in five minutes', async () => {
  const { clock, sent, logged } = open();
  await clock.advance(24 * HOUR);
  // The reads of the first step begin whenever the server does.
  for (let step = 1; step < 60; step += 1)
    expect(countBySymbol(sent, step * 24 * MINUTE, (step + 1) * 24 * MINUTE), String(step)).toEqual(
      SYMBOLS.map(() => 1),
    );
  const later = sent.filter(({ at }) => at >= 24 * MINUTE);
  expect(mostWithin(later, 5 * MINUTE)).toBeLessThanOrEqual(6);
  expect(logged).toEqual([]);
});

test('after a start, each perpetual is read within a minute', async () => {
  const { clock, sent } = open();
  await clock.advance(MINUTE);
  expect(sent.map(({ symbol }) => symbol)).toEqual(SYMBOLS);
});

test('what a screen shows is read every five minutes, for ten minutes after it last asked', async () => {
  const { clock, sent, reads } = open();
  await clock.advance(30 * MINUTE);
  reads.want('P03');
  await clock.advance(30 * MINUTE);
  const counts = countBySymbol(sent, 30 * MINUTE, 60 * MINUTE);
  const of = (symbol: string) => counts[SYMBOLS.indexOf(symbol)] ?? 0;
  expect(of('P03')).toBeGreaterThanOrEqual(3);
  expect(of('P03')).toBeLessThanOrEqual(4);
  expect(of('P04')).toBeLessThanOrEqual(2);
});

test('an interval of one hour is read every three minutes, however many perpetuals there are', async () => {
  const symbols = Array.from({ length: 60 }, (_, index) => `P${String(index)}`);
  const { clock, sent } = open({}, HOUR, symbols);
  await clock.advance(2 * HOUR);
  const within = sent.filter(({ at }) => at >= HOUR && at < HOUR + 30 * MINUTE);
  expect(
    new Map([...Map.groupBy(within, ({ symbol }) => symbol)].map(([symbol, all]) => [symbol, all.length])),
  ).toEqual(new Map(symbols.map((symbol) => [symbol, 10])));
});

test('a perpetual that a screen has had read in a step is not read again', async () => {
  const asked: (readonly [string, string, number])[] = [];
  const { clock, sent } = open({
    estimates: {
      isReadSince: (symbol, endAt, share) => {
        asked.push([symbol, endAt, share]);
        return Promise.resolve(symbol === 'P03');
      },
    },
  });
  await clock.advance(49 * MINUTE);
  expect(countBySymbol(sent, 24 * MINUTE, 48 * MINUTE)).toEqual(SYMBOLS.map((symbol) => (symbol === 'P03' ? 0 : 1)));
  expect(asked[0]).toEqual(['P00', '2026-08-17T08:00:00.000000000Z', 0.05]);
});

test('nothing is read while that is not allowed, and what was missed follows one by one', async () => {
  let mayRead = true;
  const { clock, sent } = open({ mayRead: () => mayRead });
  await clock.advance(30 * MINUTE);
  mayRead = false;
  const before = sent.length;
  await clock.advance(3 * HOUR);
  expect(sent.length).toBe(before);
  mayRead = true;
  await clock.advance(12 * MINUTE);
  expect(new Set(sent.slice(before).map(({ symbol }) => symbol))).toEqual(new Set(SYMBOLS));
  expect(mostWithin(sent.slice(before), 5 * MINUTE)).toBeLessThanOrEqual(10);
});

test('a read that fails is repeated within its step, and the others do not wait for it', async () => {
  const attempts: number[] = [];
  const { clock, sent, logged } = open({
    read: (symbol) => {
      sent.push({ symbol, at: clock.now() - START });
      if (symbol === 'P16') {
        attempts.push(clock.now());
        if (attempts.length === 1)
          return Promise.reject(new VenueFailure({ type: 'venue-fault', detail: 'The exchange failed.' }));
      }
      return Promise.resolve(
        JSON.stringify({ interval_start: '2026-08-17T00:00:00Z', interval_end: '2026-08-17T08:00:00Z' }),
      );
    },
  });
  await clock.advance(24 * MINUTE);
  expect(countBySymbol(sent, 0, 24 * MINUTE)).toEqual(SYMBOLS.map((symbol) => (symbol === 'P16' ? 2 : 1)));
  expect(logged).toEqual([]);
});

test('the response of an interval that is over is read again a little later', async () => {
  const { clock, sent } = open({
    symbols: () => Promise.resolve(['P00']),
    read: (symbol) => {
      sent.push({ symbol, at: clock.now() - START });
      return Promise.resolve(
        JSON.stringify({ interval_start: '2026-08-16T16:00:00Z', interval_end: '2026-08-17T00:00:00Z' }),
      );
    },
  });
  await clock.advance(11 * MINUTE);
  expect(sent.map(({ at }) => at / MINUTE)).toEqual([0.5, 5.5, 10.5]);
});

test('a clock that is set back by hours does not stop the reads', async () => {
  const { clock, sent } = open();
  await clock.advance(HOUR);
  clock.correct(-5 * HOUR);
  const before = sent.length;
  await clock.advance(12 * MINUTE);
  expect(new Set(sent.slice(before).map(({ symbol }) => symbol))).toEqual(new Set(SYMBOLS));
});

test('after it is closed, nothing is read', async () => {
  const { clock, sent, reads } = open();
  await clock.advance(MINUTE);
  reads.close();
  const before = sent.length;
  expect(before).toBeGreaterThan(0);
  await clock.advance(HOUR);
  expect(sent.length).toBe(before);
  expect(clock.timers()).toBe(0);
});
