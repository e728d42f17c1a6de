import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { orderLists, readOrders, readOrderText, toRows } from '#testing/order-rows.ts';
import { wireAnswers } from '#testing/wire-answers.ts';
import { createOrderBook, markSeen, mergeSnapshot } from './merge-snapshot.ts';

const rowsOf = (fields: readonly object[]) => toRows(readOrders(fields));
const idsOf = (rows: ReturnType<typeof rowsOf>) => rows.map(({ order }) => order.id);

describe('a list that follows answers', () => {
  it('marks what came, what changed and what is gone as a comparison of the two answers by hand does', () => {
    fc.assert(
      fc.property(orderLists, orderLists, (before, after) => {
        const next = rowsOf(after);
        const book = mergeSnapshot(createOrderBook(rowsOf(before)), next);
        const old = new Map(before.map((fields) => [fields.id, fields]));
        expect(book.rows).toBe(next);
        for (const fields of after) {
          const known = old.get(fields.id);
          const mark = book.marks.get(fields.id as never);
          const changed = known === undefined ? [] : Object.keys(fields).filter((name) => known[name as keyof typeof known] !== fields[name as keyof typeof fields]);
          if (known === undefined) expect(mark).toEqual({ kind: 'added' });
          else if (changed.length === 0) expect(mark).toBeUndefined();
          else expect(mark).toEqual({ kind: 'changed', fields: new Set(changed) });
        }
        const gone = before.filter(({ id }) => !after.some((other) => other.id === id)).map(({ id }) => id);
        expect(idsOf(book.gone).toSorted()).toEqual(gone.toSorted());
        expect(book.news).toBe(book.marks.size);
      }),
    );
  });

  it('keeps every mark through later answers until it is seen', () => {
    fc.assert(
      fc.property(fc.array(orderLists, { minLength: 2, maxLength: 5 }), (answers) => {
        const [first = [], ...rest] = answers.map(rowsOf);
        let book = createOrderBook(first);
        for (const next of rest) {
          const before = book;
          book = mergeSnapshot(before, next);
          for (const [id, mark] of before.marks) {
            const now = book.marks.get(id);
            expect(now).toBeDefined();
            if (mark.kind === 'changed' && now?.kind === 'changed') expect([...mark.fields].every((field) => now.fields.has(field))).toBe(true);
          }
        }
        expect(markSeen(book)).toMatchObject({ rows: book.rows, gone: [], marks: new Map() });
      }),
    );
  });

  it('does not show an order twice that was gone and is there again', () => {
    const one = rowsOf([{ id: '7674028327896836501' }]);
    const book = mergeSnapshot(mergeSnapshot(createOrderBook(one), []), one);
    expect(book.gone).toEqual([]);
    expect([...book.marks.values()]).toEqual([{ kind: 'added' }]);
  });

  it('sees a change that a float does not', () => {
    const text = JSON.stringify(wireAnswers.ordersWorking).replace('17501.5', '17501.500000000000000001');
    const book = mergeSnapshot(createOrderBook(toRows(readOrders([{}]))), toRows(readOrderText(text)));
    expect([...book.marks.values()]).toEqual([{ kind: 'changed', fields: new Set(['avg_price']) }]);
  });

  it('keeps no more of what is gone than somebody could look through', () => {
    const many = rowsOf(Array.from({ length: 1_500 }, (_, n) => ({ id: String(1_000 + n) })));
    expect(mergeSnapshot(createOrderBook(many), []).gone).toHaveLength(1_000);
  });
});
