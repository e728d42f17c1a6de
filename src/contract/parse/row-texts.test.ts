import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import * as jsonSplit from './json-split.ts';
import { splitFields } from './json-split.ts';
import { changedFields, cutAtList, cutRows, exactChange, fieldOf, withFields } from './row-texts.ts';

const cut = (list: string): readonly string[] => [...cutRows(list)];

test('rows that begin with any one field are cut without reading them', () => {
  const read = vi.spyOn(jsonSplit, 'splitList');
  const rows = ['{"symbol":"BUSZ26","id":"7"}', '{"symbol":"BUSZ26","id":"8"}', '{"symbol":"BUSZ26-BUSH27","id":"9"}'];
  expect(cut(rows.join(','))).toEqual(rows);
  expect(read).not.toHaveBeenCalled();
});

test.each([
  ['none', []],
  ['one', ['{"id":"7"}']],
  ['rows that begin differently', ['{"id":"7","a":1}', '{"a":1,"id":"8"}', '{"id":"9","a":1}']],
  ['texts that look like the end of a row', ['{"id":"7","a":"},{"}', '{"id":"8","a":"},{\\"id\\":"}', '{"id":"9"}']],
  ['lists and objects as values', ['{"id":"7"}', '{"id":"8","a":[{"id":1},{"id":2}]}', '{"id":"9","a":{"id":1}}']],
  ['rows that are no objects', ['1', '"a"', 'null']],
])('%s', (_, rows) => {
  expect(cut(rows.join(','))).toEqual(rows);
  expect(cut(rows.join(' , '))).toEqual(rows);
});

test('a value is the same, however its row is written', () => {
  expect(fieldOf('{"a":1,"id":7,"b":2}', 'id')).toBe('7');
  expect(fieldOf('{"a": 1, "id": 7, "b": 2}', 'id')).toBe('7');
  expect(fieldOf('{"id" : "a,\\"id\\":3" }', 'id')).toBe('"a,\\"id\\":3"');
});

test.each([
  ['last', '{"a":1,"rows":[{"id":7}]}', { a: '1' }, '{"id":7}'],
  ['empty', '{"a":1,"rows":[]}', { a: '1' }, ''],
  ['first', '{"rows":[{"id":7}],"a":1}', { a: '1' }, '{"id":7}'],
  ['followed by another list', '{"a":1,"rows":[{"id":7}],"b":[8]}', { a: '1', b: '[8]' }, '{"id":7}'],
  [
    'followed by another list, with spaces',
    '{"a":1,"rows":[{"id":7}] , "b":[{"c":8}]}',
    { a: '1', b: '[{"c":8}]' },
    '{"id":7}',
  ],
  ['also the name of an inner field', '{"a":{"b":1,"rows":[2]},"rows":[3]}', { a: '{"b":1,"rows":[2]}' }, '3'],
  ['only the name of an inner field', '{"a":{"b":1,"rows":[2]}}', { a: '{"b":1,"rows":[2]}' }, null],
  ['the name of the last inner field', '{"a":{"b":1,"rows":[]}}', { a: '{"b":1,"rows":[]}' }, null],
  ['of rows with lists and brackets', '{"a":1,"rows":[{"id":"]}","legs":[1]}]}', { a: '1' }, '{"id":"]}","legs":[1]}'],
  [
    'first, with brackets in its texts',
    '{"rows":[{"id":"]"},{"id":"],"},{"id":8}],"a":1}',
    { a: '1' },
    '{"id":"]"},{"id":"],"},{"id":8}',
  ],
  ['between other fields', '{"a":1,"rows":[{"id":7}],"b":{"c":2}}', { a: '1', b: '{"c":2}' }, '{"id":7}'],
  [
    'the name of an inner field before others',
    '{"a":{"b":1,"rows":[2]},"c":3}',
    { a: '{"b":1,"rows":[2]}', c: '3' },
    null,
  ],
  ['there twice', '{"rows":[1],"rows":[2]}', {}, '2'],
  ['no list', '{"a":1,"rows":null}', { a: '1' }, null],
  ['missing', '{"a":1}', { a: '1' }, null],
])('a list that is %s is cut off, and no other field is lost', (_, object, fields, list) => {
  const cut = cutAtList(object, 'rows');
  expect({ fields: Object.fromEntries(cut.fields), list: cut.list }).toEqual({ fields, list });
});

test.each([
  ['last', (rows: string) => `{"a":1,"rows":${rows}}`],
  ['first', (rows: string) => `{"rows":${rows},"a":1}`],
])('rows are not read to find the end of their list, where it is %s', (_, write) => {
  const read = vi.spyOn(jsonSplit, 'splitFields');
  read.mockClear();
  cutAtList(write(`[${'{"id":7},'.repeat(999)}{"id":8}]`), 'rows');
  expect(read.mock.calls).toEqual([['{"a":1}']]);
});

test('an object is cut as the strict scanner cuts it', () => {
  const fields = fc.uniqueArray(
    fc.tuple(
      fc.constantFrom('rows', 'a', 'b', '],"rows":['),
      fc.oneof(value, text, fc.array(fc.oneof(row, text, fc.array(text))), fc.record({ rows: fc.array(row) })),
    ),
    { selector: ([name]) => name, maxLength: 4 },
  );
  fc.assert(
    fc.property(fields, fc.constantFrom(undefined, 1), (given, indent) => {
      const object = JSON.stringify(Object.fromEntries(given), null, indent);
      const strict = splitFields(object);
      const rows = strict.get('rows');
      strict.delete('rows');
      const found = cutAtList(object, 'rows');
      expect(found).toEqual({ fields: strict, list: rows?.startsWith('[') === true ? rows.slice(1, -1).trim() : null });
    }),
    { numRuns: 1_000 },
  );
});

const text = fc.oneof(fc.string(), fc.constantFrom('},{"id":', ',"id":', 'a,', '{', '[', '"', 'é😀', '\\'));
const value = fc.oneof(fc.integer(), text, fc.constant(null), fc.record({ id: fc.nat(9) }));
const row = fc
  .tuple(
    fc.uniqueArray(fc.constantFrom('id', 'account', 'x', 'é"'), { minLength: 1 }),
    fc.array(value, { minLength: 4, maxLength: 4 }),
  )
  .map(([names, values]) => Object.fromEntries(names.map((name, index) => [name, values[index]])));
const [comma, colon, brace] = [
  fc.constantFrom(',', ', ', ' ,\n'),
  fc.constantFrom(':', ': ', ' :'),
  fc.constantFrom('', ' '),
];

/** JSON as any exchange might write it. */
const written = fc.tuple(row, comma, colon, brace).map(
  ([fields, between, after, inside]) =>
    `{${inside}${Object.entries(fields)
      .map(([name, each]) => `${JSON.stringify(name)}${after}${JSON.stringify(each)}`)
      .join(between)}${inside}}`,
);

/** Rows that begin alike and contain no spaces, as most do. */
const flat = fc.tuple(fc.nat(99), text).map(([id, note]) => JSON.stringify({ id, note }));

test('rows are cut wherever spaces are, and whichever field they begin with', () => {
  expect([...cutRows('{"id": 1, "x": 2}, {"id": 3, "x": 4}')]).toEqual(['{"id": 1, "x": 2}', '{"id": 3, "x": 4}']);
  expect([...cutRows('{"id":1,"x":2},{"x":4,"id":3},{"id":5}')]).toEqual([
    '{"id":1,"x":2}',
    '{"x":4,"id":3}',
    '{"id":5}',
  ]);
  fc.assert(
    fc.property(fc.array(written, { minLength: 1, maxLength: 4 }), comma, (rows, between) => {
      expect([...cutRows(rows.join(between))]).toEqual(rows);
    }),
  );
});

test('whatever row is expected, rows are cut in the same way', () => {
  const lists = fc.array(fc.oneof(written, flat), { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(
      lists,
      lists,
      fc.array(fc.tuple(fc.nat(8), fc.nat(3))),
      fc.constantFrom(',', ', '),
      (rows, others, places, between) => {
        const guesses = places.map(([place, missing]) => {
          const row = [...rows, ...others][place];
          return row?.slice(0, row.length - missing);
        });
        const expected = (): string | undefined => guesses.pop();
        expect([...cutRows(rows.join(between), expected)]).toEqual(rows);
      },
    ),
    { numRuns: 1_000 },
  );
});

test('where each row is the expected one, none is looked through', () => {
  const read = vi.spyOn(jsonSplit, 'splitList');
  read.mockClear();
  const rows = ['{"id":"7","legs":[1,2]}', '{"id":"8","note":"},{"}', '{"id":"9"}'];
  const left = rows.toReversed();
  expect([...cutRows(rows.join(','), () => left.pop())]).toEqual(rows);
  expect(read).not.toHaveBeenCalled();
});

test('fields are as the strict scanner finds them', () => {
  fc.assert(
    fc.property(written, fc.constantFrom('id', 'account', 'x'), (each, field) => {
      expect(fieldOf(each, field)).toBe(splitFields(each).get(field));
    }),
  );
});

test('a row with fields that change it to the letter is the later row to the letter; without spaces, most rows have some', () => {
  const rows = fc.oneof(fc.tuple(written, written), fc.tuple(flat, flat));
  fc.assert(
    fc.property(rows, ([before, after]) => {
      const changed = exactChange(before, after);
      if (changed !== null) expect(withFields(before, changed)).toBe(after);
    }),
    { numRuns: 1_000 },
  );
  expect(exactChange('{"id":7,"note":"a, b","x":1}', '{"id":7,"note":"a, b","x":2}')).toBe('{"x":2}');
  expect(exactChange('{"id": 7,"x":1}', '{"id":7,"x":2}')).toBe('{"id":7,"x":2}');
  expect(exactChange('{"id":7,"x":1}', '{"x":2,"id":7}')).toBeNull();
});

test('a row with its changed fields is the later row', () => {
  fc.assert(
    fc.property(written, written, (before, after) => {
      const changed = changedFields(before, after);
      const isGone = [...splitFields(before).keys()].some((field) => !splitFields(after).has(field));
      if (isGone) expect(changed).toBeNull();
      else expect(JSON.parse(withFields(before, changed ?? ''))).toEqual(JSON.parse(after));
    }),
    { numRuns: 1_000 },
  );
});

test.each([
  ['spaces', '{"id":"7","price":100}', '{ "id": "7", "price": 100 }', '{}'],
  ['the order of its fields', '{"id":"7","price":100}', '{"price":100,"id":"7"}', '{}'],
  ['how a text is escaped', '{"id":"7","note":"é/"}', '{"id":"7","note":"\\u00e9\\/"}', '{}'],
  ['how a number is written', '{"id":"7","price":100,"avg":-0.5}', '{"id":"7","price":1.00e2,"avg":-5e-1}', '{}'],
  ['spaces in a list', '{"id":"7","legs":[1,"a b"]}', '{"id":"7","legs":[ 1, "a b" ]}', '{}'],
  ['a space in a text', '{"id":"7","note":"a b"}', '{"id":"7","note":"ab"}', '{"note":"ab"}'],
  ['a digit that a float rounds', '{"id":"7","a":100.00000000000000001}', '{"id":"7","a":100}', '{"a":100}'],
  ['a type', '{"id":"7","price":100}', '{"id":"7","price":"100"}', '{"price":"100"}'],
  ['a value that is missing', '{"id":"7","avg":null}', '{"id":"7","avg":0}', '{"avg":0}'],
])('rows that differ in %s', (_, before, after, changed) => {
  expect(changedFields(before, after)).toBe(changed);
});
