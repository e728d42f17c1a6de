import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRowReader } from '#server/core/row-list.ts';
import { type Change, fold } from './segment/change.ts';
import { type Book, compareReading, createBook, type Reading, toBook } from './compare-reading.ts';

function toRow(id: string, price: number): string {
  return `{"symbol":"BUSZ26","id":"${id}","account_id":"NORD-105","price":${String(price)}}`;
}

function toReading(at: number, orders: ReadonlyMap<string, number>, isComplete = true): Reading {
  return { parts: [{ text: Array.from(orders, ([id, price]) => toRow(id, price)).join(','), at }], isComplete };
}

function read(book: Book, reading: Reading): { readonly book: Book; readonly changes: readonly Change[] } {
  const { changes, apply } = compareReading(book, reading);
  return { book: apply(), changes };
}

test('an order of the first reading was seen with nothing before it', () => {
  const { changes } = read(createBook(), toReading(10, new Map([['7', 100]])));
  expect(changes).toEqual([{ kind: 'seen', id: '7', from: null, to: 10, row: toRow('7', 100) }]);
});

test('an order that is only written differently has not changed, and its next change is found', () => {
  const { book } = read(createBook(), toReading(10, new Map([['7', 100]])));
  const text = '{ "id": "7", "symbol": "BUSZ26", "account_id": "NORD-105", "price": 1e2 }';
  const reread = read(book, { parts: [{ text, at: 20 }], isComplete: true });
  expect(reread.changes).toEqual([]);
  expect(read(reread.book, toReading(30, new Map([['7', 101]]))).changes).toEqual([
    { kind: 'changed', id: '7', from: 20, to: 30, row: toRow('7', 101) },
  ]);
});

test('a change happened between the last reading that showed the order as before and the one that shows it', () => {
  const first = read(
    createBook(),
    toReading(
      10,
      new Map([
        ['7', 100],
        ['8', 100],
      ]),
    ),
  );
  const second = read(
    first.book,
    toReading(
      20,
      new Map([
        ['7', 100],
        ['8', 101],
        ['9', 5],
      ]),
    ),
  );
  expect(second.changes).toEqual([
    { kind: 'changed', id: '8', from: 10, to: 20, row: toRow('8', 101) },
    { kind: 'seen', id: '9', from: 10, to: 20, row: toRow('9', 5) },
  ]);
  expect(read(second.book, toReading(30, new Map([['9', 5]]))).changes).toEqual([
    { kind: 'gone', id: '7', from: 20, to: 30, row: toRow('7', 100) },
    { kind: 'gone', id: '8', from: 20, to: 30, row: toRow('8', 101) },
  ]);
});

test('an order missing from an incomplete reading is not gone, and leaves between the last reading with it and a complete one', () => {
  const first = read(
    createBook(),
    toReading(
      10,
      new Map([
        ['7', 100],
        ['8', 100],
      ]),
    ),
  );
  const second = read(first.book, toReading(20, new Map([['8', 100]]), false));
  expect(second.changes).toEqual([]);
  const third = read(
    second.book,
    toReading(
      30,
      new Map([
        ['8', 100],
        ['9', 1],
      ]),
    ),
  );
  expect(third.changes).toEqual([
    { kind: 'seen', id: '9', from: 10, to: 30, row: toRow('9', 1) },
    { kind: 'gone', id: '7', from: 10, to: 30, row: toRow('7', 100) },
  ]);
});

test('each part of a reading has its own time', () => {
  const parts = (first: number, second: number, price: number) => [
    { text: toRow('7', 100), at: first },
    { text: '', at: first },
    { text: toRow('8', price), at: second },
  ];
  const before = read(createBook(), { parts: parts(10, 15, 100), isComplete: true });
  const { changes } = read(before.book, { parts: parts(10, 25, 101), isComplete: true });
  expect(changes).toEqual([{ kind: 'changed', id: '8', from: 15, to: 25, row: toRow('8', 101) }]);
});

test('of an order that a reading has twice, the first counts', () => {
  const text = `${toRow('7', 100)},${toRow('7', 101)}`;
  const { changes, book } = read(createBook(), { parts: [{ text, at: 10 }], isComplete: false });
  expect(changes.map(({ row }) => row)).toEqual([toRow('7', 100)]);
  expect(book.list.rows).toEqual([toRow('7', 100)]);
});

test('a comparison that is not applied leaves the book as it was', () => {
  const { book } = read(createBook(), toReading(10, new Map([['7', 100]])));
  compareReading(book, toReading(20, new Map([['8', 100]])));
  expect(
    read(
      book,
      toReading(
        30,
        new Map([
          ['7', 100],
          ['8', 2],
        ]),
      ),
    ).changes,
  ).toEqual([{ kind: 'seen', id: '8', from: 10, to: 30, row: toRow('8', 2) }]);
});

const ids = fc.constantFrom('1', '2', '3', '98765432109876543210');
const orders = fc.uniqueArray(fc.tuple(ids, fc.integer({ min: 0, max: 3 })), { selector: ([id]) => id });
const readings = fc.array(
  fc.record({ orders, isComplete: fc.boolean(), restarts: fc.boolean(), isUnwritten: fc.boolean() }),
  { maxLength: 12 },
);

test('the changes folded forward are the book that was read, after each reading and through restarts', () => {
  fc.assert(
    fc.property(readings, (steps) => {
      let book = createBook();
      const readRows = createRowReader('id');
      const all: Change[] = [];
      let expected = new Map<string, string>();
      for (const [index, { orders: working, isComplete, restarts, isUnwritten }] of steps.entries()) {
        const reading = toReading((index + 1) * 10, new Map(working), isComplete);
        const rows = readRows(reading.parts.map(({ text }) => text));
        // The next reading is then compared with what the journal has, which differs from what was read last.
        if (isUnwritten) continue;
        if (restarts) book = toBook(fold(new Map(), all).values(), index * 10, book.completeAt);
        const shown = new Map(working.map(([id, price]) => [id, toRow(id, price)]));
        expected = isComplete ? shown : new Map([...expected, ...shown]);
        const next = read(book, { ...reading, rows });
        expect(next.changes).toEqual(read(book, reading).changes);
        all.push(...next.changes);
        book = next.book;
        expect(new Map([...fold(new Map(), all)].sort())).toEqual(new Map([...expected].sort()));
        for (const { from, to } of next.changes) expect(from ?? -1).toBeLessThan(to);
      }
    }),
  );
});
