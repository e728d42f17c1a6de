import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareOrderIds, type OrderId } from '#contract/exchange/ids.ts';
import { sampleResponses } from '#testing/sample-responses.ts';
import type { Change, RowText } from './change.ts';
import { decodeBlock, decodeBook, decodeOrder, encodeBlocks, type SegmentRows } from './block.ts';

const START_MS = Date.UTC(2026, 7, 18);
const READING_MS = 4_000;

function decodeAll(segment: SegmentRows): SegmentRows {
  const blocks = encodeBlocks(segment).map(({ bytes }) => decodeBlock(bytes));
  return { base: blocks.flatMap(({ base }) => base), changes: blocks.flatMap(({ changes }) => changes) };
}

function byOrder(changes: readonly Change[]): readonly Change[] {
  const ids = [...new Set(changes.map(({ id }) => id))].toSorted((a, b) => compareOrderIds(a as OrderId, b as OrderId));
  return ids.flatMap((id) => changes.filter((each) => each.id === id));
}

function changed(id: string, row: RowText, reading = 1, kind: Change['kind'] = 'changed'): Change {
  return { kind, id, from: START_MS + (reading - 1) * READING_MS, to: START_MS + reading * READING_MS, row };
}

function orderRow(id: string, fields: object = {}): RowText {
  return JSON.stringify({ ...sampleResponses.ordersWorking[0], id, ...fields });
}

test.each([
  ['spaces', '{ "id" : "7", "price": 5 }'],
  ['another order of fields', '{"price":5,"id":"7"}'],
  ['nested values', '{"id":"7","legs":[{"id":1,"x":2},{"id":3,"x":4}],"at":{"id":"8","n":null}}'],
  ['numbers in other forms', '{"id":"7","a":1.50,"b":1e3,"c":-0,"d":1E+2,"e":123456789012345678901234567890,"f":-5}'],
  ['escapes', '{"id":"7","a":"\\u0041\\n\\"","b":"\\ud800","c":"\\/"}'],
  ['texts that look like what is between fields', '{"id":"7","a":",","b":",\\":","c":"}"}'],
  ['characters beyond one byte', '{"id":"7","a":"é😀","b":"日本"}'],
  ['a lone surrogate', '{"id":"7","a":"\ud800"}'],
  ['a repeated field', '{"id":"7","a":1,"a":2,"a":1}'],
  ['an id as a number', '{"id":7674028327896836521,"a":1}'],
  ['no id', '{"a":1}'],
  ['no field', '{}'],
  [
    'instants of other lengths',
    '{"id":"7","a":"2026-08-17T23:45:21Z","b":"2026-08-17T23:45:21.5Z","c":"2026-02-31T23:45:21.000Z","d":"2026-08-17T24:00:00.1Z"}',
  ],
])('a row comes back as it was: %s', (_, row) => {
  const changes = [changed('7', row), changed('7', orderRow('7'), 2), changed('7', row, 3)];
  expect(decodeAll({ base: [row], changes })).toEqual({ base: [row], changes });
  expect(decodeAll({ base: [row, row, orderRow('9')], changes: [] }).base.toSorted()).toEqual(
    [row, row, orderRow('9')].toSorted(),
  );
});

const id = fc.oneof(
  fc.bigInt({ min: 0n, max: 12n }).map(String),
  fc.bigInt({ min: 0n, max: 10n ** 39n - 1n }).map(String),
  fc.constantFrom('7674028327896836521', '7674028327896836524', '0123', ''),
);
const instant = fc
  .tuple(
    fc.date({ min: new Date('0000-01-01T00:00:00Z'), max: new Date('9999-12-31T23:59:59Z'), noInvalidDate: true }),
    fc.stringMatching(/^\d{0,9}$/),
  )
  .map(([date, fraction]) => `"${date.toISOString().slice(0, 19)}${fraction === '' ? '' : `.${fraction}`}Z"`);
const value = fc.oneof(
  fc.json(),
  instant,
  fc.maxSafeInteger().map(String),
  fc.integer({ min: -3, max: 3 }).map(String),
  fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n }).map((number) => `"${number}"`),
  fc.double().map(String),
  fc.string({ unit: 'binary' }),
  fc.constantFrom('null', '"Bid"', '""', '","', '"a,\\"b\\":"', '1.50', '1e3', '-0', '"\\ud800"', '"\ud800"', '"007"'),
);
const name = fc.constantFrom('symbol', 'time', 'id', 'price', 'é', 'a\\"b', '');
const fields = fc.array(fc.tuple(name, value), { maxLength: 6 });
const [between, inside] = [fc.constantFrom(',', ',', ', '), fc.constantFrom('', '', ' ')];
/** Flat or nested, with or without spaces, with missing and repeated fields, and sometimes no JSON at all. */
const anyRow = fc.oneof(
  {
    weight: 5,
    arbitrary: fc
      .tuple(fields, between, inside)
      .map(
        ([pairs, comma, space]) =>
          `{${space}${pairs.map(([key, text]) => `"${key}":${space}${text}`).join(comma)}${space}}`,
      ),
  },
  { weight: 1, arbitrary: fc.string({ unit: 'binary' }) },
);
const usualRow = fc
  .tuple(id, instant, fc.integer({ min: -9, max: 9 }), fc.option(fc.double({ noDefaultInfinity: true, noNaN: true })))
  .map(
    ([order, modified, price, average]) =>
      `{"id":"${order}","last_modified":${modified},"price":${price},"avg_price":${average}}`,
  );
const reading = fc.integer({ min: 0, max: 30 });
const change: fc.Arbitrary<Change> = fc
  .record({
    kind: fc.constantFrom('seen', 'changed', 'gone', 'ended', 'returned'),
    id,
    span: fc.option(fc.integer({ min: 0, max: 9 })),
    to: reading,
    row: fc.oneof(usualRow, anyRow),
  })
  .map(({ span, to, ...rest }) => ({
    ...rest,
    from: span === null ? null : START_MS + (to - span) * READING_MS,
    to: START_MS + to * READING_MS,
  }));

test('whatever was given comes back, by order', () => {
  fc.assert(
    fc.property(fc.array(usualRow), fc.array(change, { maxLength: 60 }), (base, changes) => {
      const decoded = decodeAll({ base, changes });
      expect(decoded.changes).toEqual(byOrder(changes));
      expect(decoded.base.toSorted()).toEqual(base.toSorted());
    }),
    { numRuns: 300 },
  );
});

/** Replays everything that was given, the plain way. */
function replay({ base, changes }: SegmentRows, until: number): ReadonlyMap<string, RowText> {
  const book = new Map(base.map((row) => [(JSON.parse(row) as { readonly id: string }).id, row]));
  for (const { kind, id: order, to, row } of changes) {
    if (to > until) continue;
    if (kind === 'seen' || kind === 'changed' || kind === 'returned') book.set(order, row);
    else if (kind === 'gone') book.delete(order);
  }
  return book;
}

test('the orders that were working at a reading, and the life of each, are those of the whole', () => {
  fc.assert(
    fc.property(fc.uniqueArray(usualRow), fc.array(change, { maxLength: 60 }), reading, (base, changes, at) => {
      const until = START_MS + at * READING_MS;
      const blocks = encodeBlocks({ base, changes });
      expect(new Map(blocks.flatMap(({ bytes }) => [...decodeBook(bytes, until)]))).toEqual(
        replay({ base, changes }, until),
      );
      for (const order of new Set(changes.map((each) => each.id))) {
        expect(blocks.flatMap(({ bytes }) => decodeOrder(bytes, order).changes)).toEqual(
          changes.filter((each) => each.id === order),
        );
      }
    }),
    { numRuns: 200 },
  );
});

test('an order that is not in a block has no rows there', () => {
  const [block] = encodeBlocks({ base: [orderRow('7')], changes: [changed('7', orderRow('7', { price: 3 }))] });
  expect(decodeOrder(block?.bytes ?? new Uint8Array(), '8')).toEqual({ base: [], changes: [] });
});

test('what the order history says of an order that works again does not end it', () => {
  const changes = [
    changed('7', orderRow('7'), 1, 'gone'),
    changed('7', orderRow('7', { price: 5 }), 2, 'seen'),
    changed('7', orderRow('7', { status: 'Closed' }), 3, 'ended'),
  ];
  const [block] = encodeBlocks({ base: [orderRow('7')], changes });
  expect(decodeBook(block?.bytes ?? new Uint8Array(), START_MS + 3 * READING_MS)).toEqual(
    new Map([['7', orderRow('7', { price: 5 })]]),
  );
});

test('no change, no block', () => {
  expect(encodeBlocks({ base: [], changes: [] })).toEqual([]);
});

test('blocks follow each other by order id, and never part an order', () => {
  const ids = Array.from({ length: 40 }, (_, index) => String(10n ** BigInt(index % 20) + BigInt(index)));
  const changes = Array.from({ length: 300 }, (_, index) =>
    ids.map((order) => changed(order, orderRow(order, { price: index }), index + 1)),
  ).flat();
  const blocks = encodeBlocks({ base: ids.map((order) => orderRow(order)), changes });
  expect(blocks.length).toBeGreaterThan(2);
  const sorted = ids.toSorted((a, b) => compareOrderIds(a as OrderId, b as OrderId));
  const held = blocks.map(({ bytes }) => [...new Set(decodeBlock(bytes).changes.map((each) => each.id))]);
  expect(held.flat()).toEqual(sorted);
  expect(blocks.map(({ firstId, lastId }) => [firstId, lastId])).toEqual(held.map((each) => [each[0], each.at(-1)]));
  expect(blocks.map((block) => block.changes)).toEqual(held.map((each) => each.length * 300));
});

test('an order with more changes than a block is meant for is in one block', () => {
  const changes = Array.from({ length: 5_000 }, (_, index) => changed('7', orderRow('7', { price: index }), index + 1));
  const blocks = encodeBlocks({ base: [], changes: [...changes, changed('8', orderRow('8'))] });
  expect(blocks.map((block) => block.changes)).toEqual([5_000, 1]);
});

test('a field that changes a little takes a few bytes', () => {
  const changes = Array.from({ length: 4_000 }, (_, index) => {
    const order = String(7_674_028_327_896_836_521n + BigInt(index % 40));
    return changed(order, orderRow(order, { price: 6_150 + (index % 7) }), index + 1);
  });
  const [block] = encodeBlocks({ base: [], changes });
  expect((block?.bytes.length ?? Infinity) / changes.length).toBeLessThan(1);
});

test('readings at odd times are refused rather than rounded', () => {
  expect(() =>
    encodeBlocks({ base: [], changes: [{ kind: 'seen', id: '7', from: null, to: 0.5, row: '{}' }] }),
  ).toThrow(RangeError);
  expect(() => encodeBlocks({ base: [], changes: [{ kind: 'seen', id: '7', from: 2, to: 1, row: '{}' }] })).toThrow(
    RangeError,
  );
});
