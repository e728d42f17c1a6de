import { expect, test } from 'vitest';
import { createBody } from '#server/core/body.ts';
import { DESK_ITSELF, type Purpose, type VenueResponse } from '#server/core/ports.ts';
import type { Store } from '#server/store/store.ts';
import { createFakeClock } from '#testing/fake-clock.ts';
import { openTestStore } from '#testing/server-store/test-store.ts';
import { createFundingRecords } from './funding-records.ts';
import { createFundingStore } from './funding-store.ts';

const BTC = { productId: 1, baseSymbol: 'BTCUC' };

/** A book whose store takes a millisecond for each read, like one in another process. */
async function open() {
  const clock = createFakeClock();
  const store = await openTestStore();
  const slow: Store = {
    ...store,
    read: (work) =>
      new Promise((resolve) =>
        clock.schedule(1, () => {
          resolve(store.read(work));
        }),
      ),
  };
  const fetched: Purpose[] = [];
  const end = new Date(clock.now()).toISOString();
  const page = JSON.stringify({
    data: [{ product_id: 1, funding_rate: 0.0001, interval_end: end }],
    pagination: { cursor: null },
  });
  const response: VenueResponse = {
    body: createBody([Buffer.from(page)]),
    contentType: 'application/json',
    respondedAt: 0,
    tag: '"t"',
  };
  const book = createFundingRecords({
    store: createFundingStore(slow, 'venue'),
    fetchPage: (_, { purpose }) => {
      fetched.push(purpose);
      return Promise.resolve(response);
    },
    toCheck: () => () => ({ leftOut: new Map(), sorted: null, ofList: [] }),
    now: clock.now,
    venueNow: clock.now,
    elapsed: clock.elapsed,
    onPrints: () => Promise.resolve(),
    isBudgetFree: () => true,
    compares: () => true,
  });
  return { book, clock, fetched };
}

test('callers that arrive while the store is still looked through share one read', async () => {
  const { book, clock, fetched } = await open();
  const updates = [
    book.bringUpToDate(BTC, { purpose: 'history', payers: DESK_ITSELF }),
    book.bringUpToDate(BTC, { purpose: 'history', payers: DESK_ITSELF }),
  ];
  await clock.advance(0.5);
  updates.push(book.bringUpToDate(BTC, { purpose: 'history', payers: DESK_ITSELF }));
  await clock.advance(100);
  expect(await Promise.all(updates)).toEqual([null, null, null]);
  expect(fetched).toEqual(['history']);
});

test('a more urgent caller waits for the read under way, and reads no more if that was enough', async () => {
  const { book, clock, fetched } = await open();
  const updates = [
    book.bringUpToDate(BTC, { purpose: 'prefetch', payers: DESK_ITSELF }),
    book.bringUpToDate(BTC, { purpose: 'interactive', payers: DESK_ITSELF }),
  ];
  await clock.advance(100);
  expect(await Promise.all(updates)).toEqual([null, null]);
  expect(fetched).toEqual(['prefetch']);
});
