import { expect, test } from 'vitest';
import type { OrderId } from '#contract/exchange/ids.ts';
import { formatInstant, type EpochNanos } from '#contract/exchange/instant.ts';
import type { Cursor } from '#contract/exchange/paging.ts';
import { createPageWindow, type PageWindow } from './page-window.ts';
import type { Direction, RowKey } from './page-list.ts';
import type { PageResponse } from './window-state.ts';

/** Returns orders whose ids equal their times. */
function rowsAt(...times: readonly number[]): RowKey[] {
  return times.map((nanos) => ({ time: formatInstant(BigInt(nanos) as EpochNanos), id: String(nanos) as OrderId }));
}

const PROOF: Omit<PageResponse<RowKey>, 'value'> = {
  ...{
    endpoint: 'orders',
    target: '/api/orders',
    respondedAt: null,
    receivedAt: 0,
    ageSeconds: 0,
    cache: 'miss',
    requestId: null,
  },
  ...{ setAside: [], deviations: [], freshSeconds: null, staleBecause: null, tag: null },
};

/** Opens a window on pages that the exchange returns unchanged. */
function open(pages: readonly (readonly RowKey[])[], direction: Direction = 'desc') {
  const requested: (string | null)[] = [];
  const window = createPageWindow<RowKey>({
    ...{ direction, maxPages: 9, prefetchRows: 0, now: () => 5 },
    fetchPage: (cursor) => {
      requested.push(cursor);
      const at = Number(cursor ?? 0);
      return Promise.resolve({
        ...PROOF,
        value: {
          data: pages[at] ?? [],
          pagination: { cursor: at + 1 < pages.length ? (String(at + 1) as Cursor) : null },
        },
      });
    },
  });
  return { window, requested };
}

async function settle(window: PageWindow<RowKey>): Promise<void> {
  while (window.read().reading !== null) await Promise.resolve();
}

/** Returns the times of all rows, read to the end or to a failure. */
async function readAll(window: PageWindow<RowKey>): Promise<readonly number[]> {
  window.setViewport({ from: 0, to: 1_000, loadsMore: true, reloads: true });
  await settle(window);
  return Array.from({ length: window.read().list.rowCount }, (_, at) => Number(window.rowAt(at)?.id));
}

test.each([
  ['desc', [[9, 8], [7, 10, 6], [5]], [9, 8, 7, 6, 5], '0.000000008Z or earlier'],
  ['asc', [[1, 2], [3, 0, 4], [5]], [1, 2, 3, 4, 5], '0.000000002Z or later'],
] as const)(
  'a row that belongs on an earlier page is set aside and counted (%s)',
  async (direction, pages, shown, expected) => {
    const { window } = open(
      pages.map((times) => rowsAt(...times)),
      direction,
    );
    expect(await readAll(window)).toEqual(shown);
    const { setAside, deviations } = window.read();
    expect(setAside.size).toBe(1);
    expect(deviations).toMatchObject([
      {
        kind: 'out of order',
        place: '$.data[].time',
        path: '$.data[1].time',
        expected: expect.stringContaining(expected) as string,
        count: 1,
      },
    ]);
  },
);

test('rows of one time, and rows that come again, are in order', async () => {
  const [nine, eight] = [rowsAt(9), rowsAt(8)];
  const other = eight.map((row) => ({ ...row, id: '80' as OrderId }));
  const { window } = open([[...nine, ...eight], [...nine, ...eight, ...other], rowsAt(7)]);
  expect(await readAll(window)).toEqual([9, 8, 80, 7]);
  expect(window.read().setAside.size).toBe(0);
});

test('a page that belongs before the last is refused: the rows read so far stay', async () => {
  const { window, requested } = open([rowsAt(3, 2), rowsAt(5, 4), rowsAt(7)]);
  expect(await readAll(window)).toEqual([3, 2]);
  expect(window.read().failure?.error.message).toContain('$.data[0].time: expected');
  expect(requested).toEqual([null, '1']);
});

test('newer rows that come on the wrong page are set aside, too', async () => {
  const pages = [rowsAt(3, 2)];
  const { window } = open(pages);
  await readAll(window);
  pages.splice(0, 1, rowsAt(9, 8), rowsAt(10, 7), rowsAt(3, 2));
  window.loadNewer();
  await settle(window);
  expect(await readAll(window)).toEqual([9, 8, 7, 3, 2]);
  expect(window.read().setAside.size).toBe(1);
});
