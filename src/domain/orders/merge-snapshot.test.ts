import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { orderLists, readOrders, readOrderText, toRows } from '#testing/order-rows.ts';
import { wireAnswers } from '#testing/wire-answers.ts';
import { createOrderBook, listRows, markSeen, mergeSnapshot } from './merge-snapshot.ts';
import { compareNewest } from './working-proof.ts';

const WHOLE = { complete: true };

const rowsOf = (fields: readonly object[]) => toRows(readOrders(fields));
const idsOf = (rows: ReturnType<typeof rowsOf>) => rows.map(({ order }) => order.id);

describe('a list that follows answers', () => {
  it('marks what came, what changed and what is gone as a comparison of the two answers by hand does', () => {
    fc.assert(
      fc.property(orderLists, orderLists, (before, after) => {
        const next = rowsOf(after);
        const book = mergeSnapshot(createOrderBook(rowsOf(before)), next, WHOLE);
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
          book = mergeSnapshot(before, next, WHOLE);
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
    const book = mergeSnapshot(mergeSnapshot(createOrderBook(one), [], WHOLE), one, WHOLE);
    expect(book.gone).toEqual([]);
    expect([...book.marks.values()]).toEqual([{ kind: 'added' }]);
  });

  it('leaves what is gone where it was: the list is the newest first, each order once', () => {
    fc.assert(
      fc.property(fc.array(orderLists, { minLength: 1, maxLength: 5 }), (answers) => {
        const [first = [], ...rest] = answers.map((fields) => toRows(readOrders(fields).toSorted(compareNewest)));
        const book = rest.reduce((before, next) => mergeSnapshot(before, next, WHOLE), createOrderBook(first));
        const listed = listRows(book).map(({ order }) => order);
        expect(listed).toEqual(listed.toSorted(compareNewest));
        expect(new Set(listed.map(({ id }) => id))).toEqual(new Set(answers.flat().map(({ id }) => id)));
        expect(listed).toHaveLength(book.rows.length + book.gone.length);
      }),
    );
  });

  it('knows of no order that it is gone by an answer that is not all: it stays, as it was, until an answer that is', () => {
    fc.assert(
      fc.property(orderLists, orderLists, orderLists, (before, part, after) => {
        const read = (fields: typeof before) => toRows(readOrders(fields).toSorted(compareNewest));
        const known = createOrderBook(read(before));
        const partial = mergeSnapshot(known, read(part), { complete: false });
        expect([partial.gone, partial.goneCount]).toEqual([[], 0]);
        const missing = known.rows.filter(({ order }) => !part.some(({ id }) => id === order.id));
        expect(partial.unread).toEqual(missing.map((row) => ({ ...row, absent: 'unread' })));
        expect(listRows(partial)).toHaveLength(partial.rows.length + missing.length);
        const whole = mergeSnapshot(partial, read(after), WHOLE);
        const wanted = new Set([...before, ...part].map(({ id }) => id).filter((id) => !after.some((other) => other.id === id)));
        expect(whole.unread).toEqual([]);
        expect(new Set(idsOf(whole.gone))).toEqual(wanted);
        for (const { id } of before) if (after.some((other) => other.id === id)) expect(whole.marks.get(id as never)).not.toEqual({ kind: 'added' });
      }),
    );
  });

  it('sees a change that a float does not', () => {
    const text = JSON.stringify(wireAnswers.ordersWorking).replace('17501.5', '17501.500000000000000001');
    const book = mergeSnapshot(createOrderBook(toRows(readOrders([{}]))), toRows(readOrderText(text)), WHOLE);
    expect([...book.marks.values()]).toEqual([{ kind: 'changed', fields: new Set(['avg_price']) }]);
  });

  it('keeps no more of what is gone than somebody could look through', () => {
    const many = rowsOf(Array.from({ length: 1_500 }, (_, n) => ({ id: String(1_000 + n) })));
    const book = mergeSnapshot(createOrderBook(many), rowsOf([{ id: '9' }]), WHOLE);
    expect([book.gone.length, book.goneCount, book.news]).toEqual([1_000, 1_500, 1_501]);
    const later = mergeSnapshot(book, [], WHOLE);
    expect([later.gone.length, later.goneCount, later.news]).toEqual([1_000, 1_501, 1]);
    expect(idsOf(later.gone)).toContain('9');
    expect(markSeen(later)).toMatchObject({ gone: [], goneCount: 0 });
  });
});
