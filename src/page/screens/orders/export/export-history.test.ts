import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { NetworkError, ProblemError } from '#page/client/errors.ts';
import type { Cursor } from '#contract/exchange/paging.ts';
import { createTerms } from '#model/orders/order-terms.ts';
import { readCsv } from '#testing/read-csv.ts';
import {
  exportHistory,
  type ExportInputs,
  type ExportProgress,
  isComplete,
  sleep,
  toHistoryStatement,
  toSentence,
} from './export-history.ts';

type OrderPage = Awaited<ReturnType<ExportInputs['fetchPage']>>;
type Order = OrderPage['value']['data'][number];

function order(id: number): Order {
  return {
    ...{
      symbol: 'PBTCUCZ50',
      time: '2026-08-17T23:45:21.496334704Z',
      last_modified: '2026-08-17T23:45:21.496334704Z',
      product_id: 1,
      product_type: 'Future',
    },
    ...{
      id: String(7_674_028_327_896_836_521n + BigInt(id)),
      connection_id: '3f',
      clearing_firm_code: 'HOST',
      account_id: '=ACC1',
      open_ack_id: '1',
    },
    ...{
      side: 'Bid',
      price: 5,
      avg_price: null,
      quantity_requested: 3,
      quantity_filled: 0,
      status: 'Closed',
      time_in_force: 'Day',
    },
  } as unknown as Order;
}

/** Creates a page with the cursor of the next. */
function page(ids: readonly number[], cursor: string | null): OrderPage {
  const source = {
    endpoint: 'orders',
    target: '/api/orders',
    respondedAt: null,
    receivedAt: 0,
    ageSeconds: 0,
    cache: 'miss',
    requestId: null,
  } as const;
  const rest = { setAside: [], deviations: [], freshSeconds: null, staleBecause: null, tag: null };
  return { ...source, ...rest, value: { data: ids.map(order), pagination: { cursor: cursor as Cursor | null } } };
}

const PAGES = new Map([
  [null, page([1, 2], 'a')],
  ['a', page([2, 3], 'b')],
  ['b', page([4], null)],
]);

function start(over: Partial<ExportInputs> = {}) {
  const reported: ExportProgress[] = [];
  const slept: number[] = [];
  const parts: ExportInputs = {
    fetchPage: (cursor) => Promise.resolve(PAGES.get(cursor) ?? page([], null)),
    terms: createTerms([], () => null),
    offsetMs: 0,
    test: null,
    form: 'full',
    signal: new AbortController().signal,
    report: (progress) => reported.push(progress),
    now: () => 1_000,
    sleep: (ms) => Promise.resolve(void slept.push(ms)),
    ...over,
  };
  return { reported, slept, done: exportHistory(parts) };
}

async function idsOf(file: Blob): Promise<readonly string[]> {
  const [, ...rows] = readCsv(await file.text());
  return rows.map(([id = '']) => id.replace(/^'/, ''));
}

const BUDGET = { type: 'urn:perpdesk:problem:budget-spent', title: '', status: 429, detail: 'Spent.', instance: 'r' };

describe('an export of history', () => {
  it('that reached the end is complete only if every row was valid', async () => {
    const odd = { index: 0, row: {}, deviations: [] };
    const good = await start().done;
    const faulty = await start({ fetchPage: () => Promise.resolve({ ...page([1], null), setAside: [odd] }) }).done;
    expect([isComplete(good), isComplete(faulty), isComplete({ ...good, end: null })]).toEqual([true, false, false]);
    expect(toSentence(faulty)).toBe('INCOMPLETE: 1 row failed validation and is not in the file.');
  });

  it('that ended on a full page with a repeated cursor is incomplete', async () => {
    const pages = new Map([
      [null, page([1, 2], 'a')],
      ['a', page([3, 4], 'a')],
    ]);
    const full = await start({ fetchPage: (cursor) => Promise.resolve(pages.get(cursor) ?? page([], null)) }).done;
    expect(full).toMatchObject({ end: 'repeated cursor', read: 4 });
    expect(isComplete(full)).toBe(false);
    expect(
      JSON.parse(toHistoryStatement({ result: full, file: 'x.csv', query: {}, filters: [], exportedAt: '' })),
    ).toMatchObject({
      set: 'INCOMPLETE',
      statement: expect.stringContaining('ended on a full page') as unknown,
    });
    pages.set('a', page([3], 'a'));
    const partial = await start({ fetchPage: (cursor) => Promise.resolve(pages.get(cursor) ?? page([], null)) }).done;
    expect([partial.end, isComplete(partial)]).toEqual(['repeated cursor', true]);
  });

  it('writes every order once, also if pages overlap, and reports why it ended', async () => {
    const { reported, done } = start();
    const result = await done;
    expect(await idsOf(result.file)).toEqual([1, 2, 3, 4].map((id) => order(id).id));
    expect(result).toMatchObject({
      read: 4,
      written: 4,
      requests: 3,
      repeated: 1,
      end: 'no cursor',
      stoppedBecause: null,
    });
    expect(reported.map(({ read }) => read)).toEqual([2, 3, 4]);
  });

  it('applies the filters of the page', async () => {
    const { done } = start({ test: ({ order: { id } }) => id.endsWith('4') });
    expect([(await done).read, await idsOf((await done).file)]).toEqual([4, [order(3).id]]);
  });

  it('waits for the budget as long as it takes, and continues there', async () => {
    let rejections = 10;
    const { slept, done } = start({
      fetchPage: (cursor) =>
        cursor === 'a' && rejections-- > 0
          ? Promise.reject(new ProblemError(BUDGET, 1_000, 30))
          : Promise.resolve(PAGES.get(cursor) ?? page([], null)),
    });
    expect(await idsOf((await done).file)).toHaveLength(4);
    expect(slept).toEqual(Array.from({ length: 10 }, () => 30_000));
  });

  it('waits for the budget also after three failures that passed', async () => {
    const failures = [
      new NetworkError('away'),
      new NetworkError('away'),
      new NetworkError('away'),
      new ProblemError(BUDGET, 1_000, 30),
    ];
    const { slept, done } = start({
      fetchPage: (cursor) => {
        const failure = cursor === 'a' ? failures.shift() : undefined;
        return failure === undefined ? Promise.resolve(PAGES.get(cursor) ?? page([], null)) : Promise.reject(failure);
      },
    });
    expect(await done).toMatchObject({ read: 4, end: 'no cursor', stoppedBecause: null });
    expect(slept).toHaveLength(4);
  });

  it('stops after four failures with the rows so far, marked incomplete', async () => {
    const { slept, done } = start({
      fetchPage: (cursor) =>
        cursor === 'b'
          ? Promise.reject(new NetworkError('away'))
          : Promise.resolve(PAGES.get(cursor) ?? page([], null)),
    });
    const result = await done;
    expect(result).toMatchObject({ end: null, stoppedBecause: 'away', read: 3 });
    expect([await idsOf(result.file), slept.length]).toEqual([[1, 2, 3].map((id) => order(id).id), 3]);
    const statement = toHistoryStatement({ result, file: 'x.csv', query: {}, filters: [], exportedAt: '' });
    expect(JSON.parse(statement)).toMatchObject({ set: 'INCOMPLETE', stopped_because: 'away', exported_orders: 3 });
  });

  it('stops on abort', async () => {
    const stop = new AbortController();
    const { done } = start({
      signal: stop.signal,
      report: () => {
        stop.abort();
      },
    });
    expect(await done).toMatchObject({ end: null, stoppedBecause: 'Cancelled.', requests: 2, read: 2 });
  });
});

it('a wait leaves no listener on its signal, whether it ends or is aborted', async () => {
  const stop = new AbortController();
  for (let wait = 0; wait < 3; wait += 1) await sleep(0, stop.signal);
  expect(getEventListeners(stop.signal, 'abort')).toHaveLength(0);
  const waiting = sleep(1_000_000, stop.signal);
  stop.abort();
  await waiting;
  expect(getEventListeners(stop.signal, 'abort')).toHaveLength(0);
});
