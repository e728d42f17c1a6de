import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toNumber } from './brand.ts';
import { compareOrderIds, isOrderId, parseProductId, type OrderId } from './ids.ts';

const id = (value: bigint): OrderId => value.toString() as OrderId;
const anyId = fc.bigInt({ min: 0n, max: 2n ** 64n });
/** Neighbours beyond 2^53, which are equal as floats. */
const nearId = fc.bigInt({ min: 7_674_028_327_896_836_500n, max: 7_674_028_327_896_836_540n });

const compareIntegers = (a: bigint, b: bigint): number => (a < b ? -1 : a > b ? 1 : 0);

test.each([
  ['of any size', anyId],
  ['that a float takes for one', nearId],
])('ids compare as integers: %s', (_, ids) => {
  fc.assert(
    fc.property(ids, ids, (a, b) => {
      expect(Math.sign(compareOrderIds(id(a), id(b)))).toBe(compareIntegers(a, b));
    }),
  );
});

test('ids sort as integers of any length', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(anyId, nearId, fc.bigInt(0n, 1_000n))), (values) => {
      expect(values.map(id).sort(compareOrderIds).map(BigInt)).toEqual([...values].sort(compareIntegers));
    }),
  );
});

test('leading zeros make no difference', () => {
  expect(compareOrderIds('0099' as OrderId, '100' as OrderId)).toBeLessThan(0);
  expect(compareOrderIds('007' as OrderId, '7' as OrderId)).toBe(0);
  expect(compareOrderIds('0' as OrderId, '000' as OrderId)).toBe(0);
});

test.each(['0', '1', '7674028327896836521', '9'.repeat(39)])('%s is an order id', (text) => {
  expect(isOrderId(text)).toBe(true);
});

test.each(['', '-1', '+1', '01', '1.0', '1e3', ' 1', '1 ', '0x1f', '9'.repeat(40), '١'])(
  '%j is no order id',
  (text) => {
    expect(isOrderId(text)).toBe(false);
  },
);

test('a product id is an integer from 1 to 999999999', () => {
  expect(['1', '5599', '999999999'].map((text) => toNumber(parseProductId(text) ?? expect.fail(text)))).toEqual([
    1, 5_599, 999_999_999,
  ]);
  for (const text of ['', '0', '01', '-1', '1.5', '1e3', '1000000000', 'abc', ' 1', '1\n'])
    expect(parseProductId(text)).toBeNull();
});
