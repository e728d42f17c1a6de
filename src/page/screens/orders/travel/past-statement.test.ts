import { expect, test } from 'vitest';
import { readOrders, toRows } from '#testing/order-rows.ts';
import { toPastStatement } from './past-statement.ts';
import type { PastBook } from './use-book.ts';

const rows = toRows(readOrders([{ id: '1' }, { id: '2' }, { id: '3' }]));

function bookOf(complete: boolean, size = rows.length): PastBook {
  return {
    completeness: { complete, reasons: [] },
    nextReadAt: null,
    rows: rows.slice(0, size),
    source: { target: '/api/desk/journal/book' },
  } as unknown as PastBook;
}

function stateOf(
  books: readonly PastBook[],
  exported = rows,
): { readonly set: string; readonly statement: string; readonly exported_orders: number } {
  return JSON.parse(toPastStatement({ exported, books })({ file: 'a.csv', filters: [], exportedAt: '' })) as ReturnType<
    typeof stateOf
  >;
}

test('orders that only the earlier reading has are counted apart from those of the reading shown', () => {
  const compared = stateOf(
    [bookOf(true, 2), bookOf(true)],
    rows.map((row, place) => (place < 2 ? row : { ...row, absent: 'gone' })),
  );
  expect(compared.statement).toContain(
    'The file holds 2 of 2 working orders of that reading. It also holds 1 order that only the reading compared with shows.',
  );
  expect(compared.exported_orders).toBe(3);
  expect(stateOf([bookOf(true)]).statement).toMatch(/The file holds 3 of 3 working orders of that reading\.$/);
});

test.each([
  ['of one reading', [true], 'PAST complete'],
  ['of two readings', [true, true], 'PAST complete'],
  ['of an incomplete reading', [false, true], 'PAST INCOMPLETE'],
  ['compared with an incomplete reading', [true, false], 'PAST INCOMPLETE'],
])('an export %s says whether all that it is of was complete', (_, complete, set) => {
  expect(stateOf(complete.map((each) => bookOf(each))).set).toBe(set);
});
