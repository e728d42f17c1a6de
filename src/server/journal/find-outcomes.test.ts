import { expect, test } from 'vitest';
import { VenueFailure } from '#server/core/venue-failure.ts';
import { createFakeClock } from '#testing/fake-clock.ts';
import type { Change } from './segment/change.ts';
import { createOutcomes, type OutcomeDeps, type OutcomeRequest } from './find-outcomes.ts';
import { createGoneOrders } from './gone-orders.ts';

const TIME = '2026-08-18T10:00:00Z';

function toRow(id: string, status: string, product = 5_599): string {
  return JSON.stringify({ symbol: 'BUSZ26', time: TIME, product_id: product, id, status });
}

function gone(id: string, product?: number): Change {
  return { kind: 'gone', id, from: 1, to: 2, row: toRow(id, 'Working', product) };
}

type HistoryPage = Awaited<ReturnType<OutcomeDeps['readHistory']>>;

/** Starts with orders that are gone and successive responses of the history. */
function start(changes: readonly Change[], answer: (request: OutcomeRequest, cursor: string | null) => HistoryPage) {
  const clock = createFakeClock();
  const journal = createGoneOrders();
  journal.follow(changes);
  const requests: { readonly ids: readonly string[]; readonly cursor: string | null }[] = [];
  const errors: unknown[] = [];
  const outcomes = createOutcomes({
    journal,
    records: () => true,
    readHistory: (request, cursor) => {
      requests.push({ ids: [...request.ids], cursor });
      return Promise.resolve().then(() => answer(request, cursor));
    },
    schedule: clock.schedule,
    elapsed: clock.elapsed,
    report: (error) => errors.push(error),
  });
  outcomes.start();
  return { clock, journal, requests, errors, outcomes };
}

test('an order that is gone ends as the history has it, with the next reading', async () => {
  const { clock, journal } = start([gone('1')], () => ({ rows: [toRow('1', 'Closed')], cursor: null }));
  await clock.advance(75_000);
  const ended = journal.toEnded(9, []);
  expect(ended).toEqual([{ kind: 'ended', id: '1', from: 1, to: 9, row: toRow('1', 'Closed') }]);
  journal.follow(ended);
  expect([journal.unexplained().size, journal.toEnded(10, []).length]).toEqual([0, 0]);
});

test('an order that is back was not closed, whatever was read meanwhile', async () => {
  const { clock, journal } = start([gone('1')], () => ({ rows: [toRow('1', 'Closed')], cursor: null }));
  await clock.advance(75_000);
  journal.follow([{ ...gone('1'), kind: 'seen' }]);
  expect(journal.toEnded(9, [])).toEqual([]);
  journal.follow([gone('1')]);
  expect(journal.toEnded(9, [])).toEqual([]);
});

test('a history that lags behind is read again, ever later', async () => {
  const { clock, requests } = start([gone('1')], () => ({ rows: [toRow('1', 'Working')], cursor: null }));
  await clock.advance(75_000);
  expect(requests).toHaveLength(1);
  await clock.advance(59_000);
  expect(requests).toHaveLength(1);
  await clock.advance(31_000);
  expect(requests).toHaveLength(2);
  await clock.advance(24 * 3_600_000);
  expect(requests.length).toBeLessThan(40);
});

test('pages are followed until all orders are found, and no further than the third', async () => {
  const pages = new Map([
    [null, '1'],
    ['a', '2'],
    ['b', '3'],
    ['c', '4'],
  ]);
  const next = new Map([
    [null, 'a'],
    ['a', 'b'],
    ['b', 'c'],
    ['c', 'd'],
  ]);
  const answer = (_: OutcomeRequest, cursor: string | null): HistoryPage => ({
    rows: [toRow(pages.get(cursor) ?? '', 'Closed')],
    cursor: next.get(cursor) ?? null,
  });
  const short = start([gone('1'), gone('2')], answer);
  await short.clock.advance(75_000);
  expect(short.requests.map(({ cursor }) => cursor)).toEqual([null, 'a']);
  const long = start([gone('1'), gone('4')], answer);
  await long.clock.advance(75_000);
  expect(long.requests.map(({ cursor }) => cursor)).toEqual([null, 'a', 'b']);
  expect([...long.journal.unexplained().keys()]).toEqual(['1', '4']);
  expect(long.journal.toEnded(9, []).map(({ id }) => id)).toEqual(['1']);
});

test('few requests are sent at once', async () => {
  const { clock, requests } = start([gone('1', 1), gone('2', 2), gone('3', 3)], ({ ids }) => ({
    rows: [...ids].map((id) => toRow(id, 'Closed')),
    cursor: null,
  }));
  await clock.advance(75_000);
  expect(requests).toHaveLength(2);
});

test('a failure of the exchange is tried again, and one of our own is reported', async () => {
  let failure: Error = new VenueFailure({ type: 'budget-spent', detail: 'The budget is exhausted.' });
  const { clock, requests, errors, outcomes } = start([gone('1')], () => {
    throw failure;
  });
  await clock.advance(150_000);
  expect([requests.length, errors.length]).toEqual([2, 0]);
  failure = new Error('a bug');
  await clock.advance(75_000);
  expect(errors).toEqual([failure]);
  outcomes.close();
  expect(clock.timers()).toBe(0);
});

const rejection = new VenueFailure({ type: 'bad-parameter', detail: 'No such product.' });
const outage = new VenueFailure({ type: 'venue-unreachable', detail: 'Connection refused.' });

test.each([
  ['refused', rejection],
  ['not answered', outage],
  ['answered with what cannot be read', new Error('a bug')],
])('others are looked up although the largest request is %s', async (_, failure) => {
  const { clock, requests, journal } = start([gone('1', 1), gone('2', 1), gone('3', 2)], ({ productId, ids }) => {
    if (productId === '1') throw failure;
    return { rows: [...ids].map((id) => toRow(id, 'Closed')), cursor: null };
  });
  await clock.advance(75_000);
  expect(requests.map(({ ids }) => ids)).toEqual([['1', '2'], ['3']]);
  expect(journal.toEnded(9, []).map(({ id }) => id)).toEqual(['3']);
});

test('what is refused is asked for ever later, and what failed for a day within two minutes after', async () => {
  let failure: Error | null = rejection;
  const answer = ({ ids }: OutcomeRequest): HistoryPage => {
    if (failure !== null) throw failure;
    return { rows: [...ids].map((id) => toRow(id, 'Closed')), cursor: null };
  };
  const refused = start([gone('1')], answer);
  await refused.clock.advance(24 * 3_600_000);
  expect(refused.requests.length).toBeLessThan(40);
  failure = outage;
  const failed = start([gone('1')], answer);
  await failed.clock.advance(24 * 3_600_000);
  failure = null;
  await failed.clock.advance(150_000);
  expect(failed.journal.toEnded(9, []).map(({ id }) => id)).toEqual(['1']);
});
