import { expect, test } from 'vitest';
import type { ReadingTime } from '#server/journal/journal-store.ts';
import type { ShownChange } from '#server/journal/read-journal.ts';
import { sampleResponses } from '#testing/sample-responses.ts';
import { createActivityLog, createEventFinder } from './rule-journal.ts';

function toPassed(id: string, filled: number): ShownChange {
  const row = JSON.stringify({
    ...sampleResponses.ordersWorking[0],
    ...{ id, status: 'Closed', quantity_requested: 9, quantity_filled: filled, avg_price: filled > 0 ? 1 : null },
  });
  return { kind: 'passed', id, from: 10, to: 20, before: null, row };
}

test('an order that came and went was placed, filled if any of it was, and is gone', () => {
  const events = createEventFinder()([toPassed('1', 0), toPassed('2', 4)]);
  expect(events.map(({ kind, at, order }) => [order.id, kind, at])).toEqual([
    ['1', 'placed', 20],
    ['1', 'gone', 20],
    ['2', 'placed', 20],
    ['2', 'filled', 20],
    ['2', 'gone', 20],
  ]);
});

const SECOND = 1_000;
const GAP = { from: 100 * SECOND, to: 170 * SECOND, cause: null };

async function readGaps(lastReading: Pick<ReadingTime, 'to' | 'historyTo'>, expectedMs = 30 * SECOND) {
  const log = createActivityLog({
    journal: {
      changes: () => Promise.resolve({ changes: [], next: null }),
      gaps: () => Promise.resolve([GAP]),
    },
    state: () => ({ from: 0, lastReading, expectedMs }),
  });
  await log.update(0);
  return log.reading();
}

const toGap = (from: number, to: number) => ({ gaps: [{ from: from * SECOND, to: to * SECOND }] });

test('events may be missing in a gap until the order history was read after it, and for as long as it cannot be', async () => {
  expect(await readGaps({ to: 200 * SECOND })).toMatchObject(toGap(100, 170));
  expect(await readGaps({ to: 200 * SECOND, historyTo: 99 * SECOND })).toMatchObject(toGap(100, 170));
  expect(await readGaps({ to: 200 * SECOND, historyTo: 171 * SECOND })).toMatchObject({ gaps: [] });
  expect(await readGaps({ to: 400 * SECOND, historyTo: 180 * SECOND })).toMatchObject(toGap(180, 400));
  expect(await readGaps({ to: 400 * SECOND, historyTo: 180 * SECOND }, 90 * SECOND)).toMatchObject({ gaps: [] });
});
