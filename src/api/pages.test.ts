import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Cursor } from '#contract/paging.ts';
import type { SetAside } from '#contract/parse.ts';
import { PROBLEM_PREFIX } from '#contract/problems.ts';
import type { Api } from './create-api.ts';
import { ProblemError } from './errors.ts';
import { createOrderPages, readPages, toPageAfter, toPageEnd, type PageAnswer } from './pages.ts';

type Pagination = PageAnswer<number>['value']['pagination'];

function page(data: readonly number[], pagination: { cursor?: string | null }, odd = 0): PageAnswer<number> {
  const setAside: SetAside[] = Array.from({ length: odd }, (_, index) => ({ index, row: null, deviations: [] }));
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
  ] as const)('is told by %s', (end, last, sent) => {
    expect([toPageAfter(last, sent), toPageEnd(last, sent)]).toEqual([null, end]);
  });

  it('is not told by a page whose rows are all odd: more may follow', () => {
    const odd = page([], { cursor: 'c' }, 3);
    expect([toPageAfter(odd, cursors(null)), toPageEnd(odd, cursors(null))]).toEqual(['c', null]);
  });

  it('comes with a reason exactly where nothing follows', () => {
    const anyPage = fc.tuple(fc.array(fc.nat(), { maxLength: 2 }), fc.option(fc.constantFrom('', 'a', 'b', 'c'), { nil: undefined }), fc.nat(1));
    fc.assert(
      fc.property(anyPage, fc.subarray(['a', 'b']), ([data, cursor, odd], sent) => {
        const last = page(data, cursor === undefined ? {} : { cursor }, odd);
        expect(toPageAfter(last, cursors(null, ...sent)) === null).toBe(toPageEnd(last, cursors(null, ...sent)) !== null);
      }),
    );
  });
});

describe('readPages', () => {
  it('reads every page once, in order, and says why it ended', async () => {
    const pages = new Map([[null, page([1], { cursor: 'a' })], ['a', page([2], { cursor: 'b' })], ['b', page([3], { cursor: 'a' })]]);
    const asked: (Cursor | null)[] = [];
    const reading = readPages((cursor) => {
      asked.push(cursor);
      return Promise.resolve(pages.get(cursor) ?? page([], {}));
    });
    const rows: number[] = [];
    let step = await reading.next();
    for (; step.done !== true; step = await reading.next()) rows.push(...step.value.value.data);
    expect([rows, asked, step.value]).toEqual([[1, 2, 3], [null, 'a', 'b'], 'repeated cursor']);
  });

  it('ends whatever the venue says, and never asks for the same page twice', async () => {
    const venue = fc.array(fc.tuple(fc.nat(1), fc.option(fc.nat(9), { nil: undefined })), { minLength: 10, maxLength: 10 });
    await fc.assert(
      fc.asyncProperty(venue, async (answers) => {
        const asked: (Cursor | null)[] = [];
        const ask = (cursor: Cursor | null) => {
          asked.push(cursor);
          const [rows, next] = answers[cursor === null ? 0 : Number(cursor)] ?? [0, undefined];
          return Promise.resolve(page(rows === 0 ? [] : [1], next === undefined ? {} : { cursor: String(next) }));
        };
        const reading = readPages(ask);
        let pages = 0;
        while ((await reading.next()).done !== true) pages += 1;
        expect(new Set(asked).size).toBe(asked.length);
        expect(pages).toBe(asked.length);
      }),
    );
  });
});

describe('pages of orders', () => {
  /** A venue that refuses more than so many a page, and a desk that says so in its way. */
  function apiOf(most: number, parameter?: string) {
    const asked: unknown[] = [];
    const orders = (request: { readonly limit?: number }) => {
      asked.push(request);
      const document = { type: `${PROBLEM_PREFIX}bad-parameter`, title: '', status: 400, detail: 'limit is too large', instance: '', ...(parameter !== undefined && { parameter }) };
      return (request.limit ?? 0) > most ? Promise.reject(new ProblemError(document, 0, null)) : Promise.resolve({ value: { data: [], pagination: {} } });
    };
    return { asked, api: { venue: { orders } } as unknown as Api };
  }

  it('are as large as the venue gives them, which is found out once', async () => {
    const { asked, api } = apiOf(100);
    const ask = createOrderPages(api, { order: 'desc' }, 500);
    await ask(null);
    await ask('next' as Cursor);
    expect(asked).toEqual([{ order: 'desc', limit: 500 }, { order: 'desc', limit: 100 }, { order: 'desc', limit: 100, cursor: 'next' }]);
  });

  it('are not asked for again where the desk says which parameter is wrong', async () => {
    const { asked, api } = apiOf(100, 'account_id');
    await expect(createOrderPages(api, {}, 500)(null)).rejects.toBeInstanceOf(ProblemError);
    expect(asked).toHaveLength(1);
  });
});
