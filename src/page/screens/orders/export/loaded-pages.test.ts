import { expect, it } from 'vitest';
import { readLoaded, toLoadedPages } from './export-history.ts';

type View = Parameters<typeof toLoadedPages>[0];
type Pages = Parameters<typeof readLoaded>[0];

const page = (id: string) =>
  ({ rows: [{ id }], source: { target: `/api/orders?${id}`, respondedAt: null } }) as unknown as Pages[number];
const pages = [page('3'), page('2'), page('1')];
const newer: View['newer'] = { count: 0, isLeast: false, changed: 0, checkedAt: 1, error: null };

function view(over: Partial<View> = {}, loaded: readonly (Pages[number] | null)[] = pages): View {
  return {
    list: { spans: loaded.map((one) => ({ loaded: one })) },
    end: 'empty page',
    setAside: new Set(),
    newer,
    ...over,
  } as unknown as View;
}

it('a list that is loaded to its end needs no further reads', () => {
  expect(toLoadedPages(view())).toEqual(pages);
});

it.each([
  ['without its end', view({ end: null })],
  ['whose end is a repeated cursor, which may hide more', view({ end: 'repeated cursor' })],
  ['with a page that is no longer in memory', view({}, [pages[0] ?? null, null, pages[2] ?? null])],
  ['with newer orders', view({ newer: { ...newer, count: 1 } })],
  ['with orders that have changed', view({ newer: { ...newer, changed: 1 } })],
  ['whose check for newer orders failed', view({ newer: { ...newer, error: new Error('no') } })],
  ['with invalid rows', view({ setAside: new Set(['7']) as unknown as View['setAside'] })],
  ['without orders', view({}, [])],
])('a list %s is read again', (_, one) => {
  expect(toLoadedPages(one)).toBeNull();
});

it('loaded pages come one after the other, each with its own source', async () => {
  const fetchPage = readLoaded(pages);
  const first = await fetchPage(null);
  expect([first.value.data, first.target]).toEqual([pages[0]?.rows, '/api/orders?3']);
  const second = await fetchPage(first.value.pagination.cursor ?? null);
  const third = await fetchPage(second.value.pagination.cursor ?? null);
  expect([second.target, third.target, third.value.pagination.cursor]).toEqual([
    '/api/orders?2',
    '/api/orders?1',
    null,
  ]);
});
