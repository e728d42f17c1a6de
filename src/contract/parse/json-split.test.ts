import fc from 'fast-check';
import { expect, test } from 'vitest';
import { joinFields, splitFields, splitList } from './json-split.ts';

const WRITTEN =
  '{ "id":"a,}]\\"", "price" : 1.50,"legs":[{"id":1,"x":[2]}, {}],"big":12345678901234567890 ,"none":null}';

test('fields keep the text of their values', () => {
  expect([...splitFields(WRITTEN)]).toEqual([
    ['id', '"a,}]\\""'],
    ['price', '1.50'],
    ['legs', '[{"id":1,"x":[2]}, {}]'],
    ['big', '12345678901234567890'],
    ['none', 'null'],
  ]);
});

test('items keep their text', () => {
  expect(splitList(`[${WRITTEN}, 2.0 ,[1,2] , "],["]rest`, 1)).toEqual([WRITTEN, '2.0', '[1,2]', '"],["']);
  expect(splitList('[ ]', 1)).toEqual([]);
});

test('whatever the JSON, its parts make the whole again', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
      const text = JSON.stringify(value);
      expect(JSON.parse(joinFields(splitFields(text)))).toEqual(JSON.parse(text));
    }),
  );
  fc.assert(
    fc.property(fc.array(fc.jsonValue()), (value) => {
      expect(splitList(JSON.stringify(value), 1)).toEqual(value.map((item) => JSON.stringify(item)));
    }),
  );
});
