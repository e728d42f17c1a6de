import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Cursor } from '#contract/exchange/paging.ts';
import type { RejectedRow } from '#contract/parse/parse.ts';
import { PROBLEM_PREFIX } from '#contract/desk/problems.ts';
import type { Api } from './create-api.ts';
import { ProblemError } from './errors.ts';
import { createOrderPages, readPages, toPageAfter, toPageEnd, type PageRows } from './pages.ts';

type Pagination = PageRows<number>['value']['pagination'];

function page(data: readonly number[], pagination: { cursor?: string | null }, odd = 0): PageRows<number> {
  const setAside: RejectedRow[] = Array.from({ length: odd }, (_, index) => ({ index, row: null, deviations: [] }));
  return { value: { data, pagination: pagination as Pagination }, setAside };
}

const cursors = (...texts: (string | null)[]) => texts as (Cursor | null)[];

describe('the end of a list', () => {
  it.each([
    ['no cursor', page([1], {}), cursors(null)],
    ['no cursor', page([1], { cursor: null }), cursors(null)],
    ['empty cursor', page([1], { cursor: '' }), cursors(null)],
    ['repeated cursor', page([1], { cursor: 'b' }), cursors(null, 'a', 'b')],
    ['repeated cursor', page([1], { cursor: 'a%3D' }), cursors(null, 'a=')],
    ['empty page', page([], { cursor: 'c' }), cursors(null, 'a')],
  ] as const)('is signalled by %s', (end, last, sent) => {
    expect([toPageAfter(last, sent), toPageEnd(last, sent)]).toEqual([null, end]);
  });

  it('is not reached with a page whose rows all failed validation', () => {
    const odd = page([], { cursor: 'c' }, 3);
    expect([toPageAfter(odd, cursors(null)), toPageEnd(odd, cursors(null))]).toEqual(['c', null]);
  });

  it('has a reason exactly where no page follows', () => {
    const anyPage = fc.tuple(
      fc.array(fc.nat(), { maxLength: 2 }),
      fc.option(fc.constantFrom('', 'a', 'b', 'c'), { nil: undefined }),
      fc.nat(1),
    );
    fc.assert(
      fc.property(anyPage, fc.subarray(['a', 'b']), ([data, cursor, odd], sent) => {
        const last = page(data, cursor === undefined ? {} : { cursor }, odd);
        expect(toPageAfter(last, cursors(null, ...sent)) === null).toBe(
          toPageEnd(last, cursors(null, ...sent)) !== null,
        );
      }),
    );
  });
});

describe('readPages', () => {
  it('reads every page once, in order, and returns why it ended', async () => {
    const pages = new Map([
      [null, page([1], { cursor: 'a' })],
      ['a', page([2], { cursor: 'b' })],
      ['b', page([3], { cursor: 'a' })],
    ]);
    const requested: (Cursor | null)[] = [];
    const reading = readPages((cursor) => {
      requested.push(cursor);
      return Promise.resolve(pages.get(cursor) ?? page([], {}));
    });
    const rows: number[] = [];
    let step = await reading.next();
    for (; step.done !== true; step = await reading.next()) rows.push(...step.value.value.data);
    expect([rows, requested, step.value]).toEqual([[1, 2, 3], [null, 'a', 'b'], 'repeated cursor']);
  });

  it('ends for any responses, and never requests a page twice', async () => {
    const venue = fc.array(fc.tuple(fc.nat(1), fc.option(fc.nat(9), { nil: undefined })), {
      minLength: 10,
      maxLength: 10,
    });
    await fc.assert(
      fc.asyncProperty(venue, async (responses) => {
        const requested: (Cursor | null)[] = [];
        const fetchPage = (cursor: Cursor | null) => {
          requested.push(cursor);
          const [rows, next] = responses[cursor === null ? 0 : Number(cursor)] ?? [0, undefined];
          return Promise.resolve(page(rows === 0 ? [] : [1], next === undefined ? {} : { cursor: String(next) }));
        };
        const reading = readPages(fetchPage);
        let pages = 0;
        while ((await reading.next()).done !== true) pages += 1;
        expect(new Set(requested).size).toBe(requested.length);
        expect(pages).toBe(requested.length);
      }),
    );
  });
});

describe('pages of orders', () => {
  /** Returns an exchange with a page limit; `parameter` is set if Perpdesk itself rejects the request. */
  function apiOf(most: number, parameter?: string) {
    const requested: unknown[] = [];
    const orders = (request: { readonly limit?: number }) => {
      requested.push(request);
      const document = {
        type: `${PROBLEM_PREFIX}bad-parameter`,
        title: '',
        status: 400,
        detail: 'limit is too large',
        instance: '',
        ...(parameter !== undefined && { parameter }),
      };
      return (request.limit ?? 0) > most
        ? Promise.reject(new ProblemError(document, 0, null))
        : Promise.resolve({ value: { data: [], pagination: {} } });
    };
    return { requested, api: { venue: { orders } } as unknown as Api };
  }

  it('are as large as the venue allows, which is found out once', async () => {
    const { requested, api } = apiOf(100);
    const fetchPage = createOrderPages(api, { order: 'desc' }, 500);
    await fetchPage(null);
    await fetchPage('next' as Cursor);
    expect(requested).toEqual([
      { order: 'desc', limit: 500 },
      { order: 'desc', limit: 100 },
      { order: 'desc', limit: 100, cursor: 'next' },
    ]);
  });

  it('are not requested again where the desk names the invalid parameter', async () => {
    const { requested, api } = apiOf(100, 'account_id');
    await expect(createOrderPages(api, {}, 500)(null)).rejects.toBeInstanceOf(ProblemError);
    expect(requested).toHaveLength(1);
  });
});
