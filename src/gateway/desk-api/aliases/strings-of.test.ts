import fc from 'fast-check';
import { expect, it } from 'vitest';
import { stringsOf } from './strings-of.ts';

const code = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('NORD-105', '"account_id":"', 'a\\', '\\"', '"'));
const field = fc.oneof(fc.constantFrom('account_id', 'id', 'symbol'), fc.string());

it('finds what parsing finds, however the text is written', () => {
  const value = fc.oneof(code, fc.integer(), fc.constant(null), fc.record({ account_id: code }));
  fc.assert(
    fc.property(fc.array(fc.dictionary(field, value)), fc.constantFrom(undefined, 2), (rows, indent) => {
      const found: string[] = [];
      JSON.parse(JSON.stringify(rows), (name, each: unknown) => {
        if (name === 'account_id' && typeof each === 'string') found.push(each);
        return each;
      });
      expect([...stringsOf(JSON.stringify({ data: rows }, null, indent), 'account_id')].toSorted()).toEqual(found.toSorted());
    }),
  );
});

it.each(['', '{', '"account_id', '{"account_id"', '{"account_id":', '{"account_id":"', '{"account_id":"\\u12"}', '{"account_id":7}', '["account_id"]'])('finds nothing in %s but what is there', (json) => {
  expect([...stringsOf(json, 'account_id')].filter((text) => text !== '')).toEqual([]);
});
