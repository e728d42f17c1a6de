import { expect, test } from 'vitest';
import { VenueFailure } from '#server/core/venue-failure.ts';
import { createFakeClock } from '#testing/fake-clock.ts';
import { createAccepted } from './find-accepted.ts';
import type { Finds } from './gone-orders.ts';

const SECOND = 1_000;
const EVERY = 30;
/** The exchange’s clock is ahead of that of Perpdesk. */
const AHEAD = 7 * SECOND;

interface PastOrder {
  readonly id: string;
  /** In seconds since the start. */
  readonly accepted: number;
  readonly closed: number;
  /** How much later the history shows what happens to it. */
  readonly lag?: number;
}

interface Given {
  readonly orders: readonly PastOrder[];
  readonly rowsPerPage?: number;
  /** The orders that readings listed. */
  readonly listed?: ReadonlySet<string>;
  readonly requests?: number;
}

/** Reads the history of an exchange that gives the same cursor again at the end. */
function open({ orders, rowsPerPage = 1_000, listed = new Set(), requests }: Given) {
  const clock = createFakeClock();
  const start = clock.now();
  const sent: { readonly begin: number; readonly cursor: string | null }[] = [];
  const finds: Finds[] = [];
  const explained: string[] = [];
  let failure: Error | null = null;
  const rowsAt = (begin: number): readonly string[] => {
    const seconds = (clock.now() - start) / SECOND;
    return orders
      .filter(({ accepted, lag = 0 }) => accepted + lag <= seconds && start + AHEAD + accepted * SECOND >= begin)
      .sort((a, b) => b.accepted - a.accepted)
      .map(({ id, accepted, closed, lag = 0 }) => {
        const status = closed + lag <= seconds ? 'Closed' : 'Working';
        return JSON.stringify({ id, time: new Date(start + AHEAD + accepted * SECOND).toISOString(), status });
      });
  };
  const accepted = createAccepted({
    journal: {
      state: () => ({
        ...{ from: start, changes: 0, bytes: 0, maxBytes: 0 },
        lastReading: { from: start, to: start, isComplete: true, isAfterGap: false, historyTo: finds.at(-1)?.readTo },
      }),
      hasOrder: (id) => Promise.resolve(listed.has(id) || finds.some(({ closed }) => closed.has(id))),
      explain: (closed) => explained.push(...closed.keys()),
      find: (found) => finds.push(found),
    },
    records: () => true,
    readHistory: (begin, cursor) => {
      sent.push({ begin: Date.parse(begin), cursor });
      if (failure !== null) return Promise.reject(failure);
      const from = Number(cursor ?? 0);
      const rows = rowsAt(Date.parse(begin)).slice(from, from + rowsPerPage);
      return Promise.resolve({ at: clock.now(), rows, cursor: String(from + rows.length) });
    },
    everySeconds: EVERY,
    share: () => (requests === undefined ? null : { requests, seconds: 300 }),
    schedule: clock.schedule,
    elapsed: clock.elapsed,
    now: clock.now,
    venueNow: () => clock.now() + AHEAD,
    report: (error) => expect.fail(String(error)),
  });
  return {
    ...{ sent, finds, explained, start },
    /** Has this many readings made, each with a round. */
    read: async (rounds: number) => {
      for (let round = 0; round < rounds; round++) {
        accepted.noteReading();
        await clock.advance(EVERY * SECOND);
      }
    },
    fail: (error: Error | null) => {
      failure = error;
    },
    found: () => finds.flatMap(({ closed }) => [...closed.keys()]).sort(),
  };
}

const shortLived = (id: string, accepted: number, lag = 0): PastOrder => ({
  id,
  accepted,
  closed: accepted + 0.1,
  lag,
});
const down = new VenueFailure({ type: 'venue-unreachable', detail: 'It does not respond.' });

test('orders that came and went are found once, also if the history shows them late; others are not', async () => {
  const orders = [
    shortLived('before', -20),
    shortLived('old', -400),
    shortLived('a', 5),
    shortLived('late', 20, 50),
    shortLived('b', 61),
    { id: 'working', accepted: 62, closed: 900 },
    shortLived('listed', 63),
    ...Array.from({ length: 20 }, (_, place) => shortLived(`c${String(place)}`, 100 + place * 20)),
  ];
  const { read, found, explained } = open({ orders, listed: new Set(['listed']) });
  await read(25);
  const wanted = ['a', 'b', 'late', ...Array.from({ length: 20 }, (_, place) => `c${String(place)}`)];
  expect(found()).toEqual(wanted.sort());
  expect(explained).toContain('listed');
});

test('a round takes one request, unless a page has not all of it', async () => {
  const orders = Array.from({ length: 100 }, (_, place) => shortLived(String(place), -500 + place * 12));
  const { read, sent } = open({ orders });
  await read(1);
  const first = sent.length;
  await read(20);
  expect(sent.length - first).toBe(20);
  const small = open({ orders, rowsPerPage: 4 });
  await small.read(21);
  expect(small.found()).toEqual(
    orders
      .filter(({ accepted }) => accepted > 0 && accepted < 625)
      .map(({ id }) => id)
      .sort(),
  );
});

test('an order that the history shows as working for long is found once it closes', async () => {
  const { read, found } = open({ orders: [{ id: 'unlisted', accepted: 10, closed: 250 }, shortLived('later', 200)] });
  await read(12);
  expect(found()).toEqual(['later', 'unlisted']);
});

test('while it cannot be read, it is known up to when it was read; then everything is found', async () => {
  const orders = Array.from({ length: 60 }, (_, place) => shortLived(String(place), 10 + place * 10));
  const { read, fail, finds, found, start } = open({ orders });
  await read(2);
  const readTo = finds.at(-1)?.readTo;
  fail(down);
  await read(10);
  expect(finds.at(-1)?.readTo).toBe(readTo);
  fail(null);
  await read(12);
  expect(finds.at(-1)?.readTo).toBeGreaterThan(start + 690 * SECOND);
  expect(found()).toEqual(orders.map(({ id }) => id).sort());
});

test('it leaves half of the journal’s share to readings', async () => {
  const { read, sent } = open({ orders: [], requests: 10 });
  await read(10);
  expect(sent).toHaveLength(5);
});
