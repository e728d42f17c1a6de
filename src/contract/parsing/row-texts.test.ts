import { expect, test, vi } from 'vitest';
import * as jsonSplit from './json-split.ts';
import { cutRows, fieldOf } from './row-texts.ts';

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
