import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createCollector } from './collector.ts';

function collect(body: Buffer, cuts: readonly number[], expected: number | null): Buffer {
  const collector = createCollector(expected);
  const places = [0, ...cuts.map((cut) => cut % (body.byteLength + 1)).sort((a, b) => a - b), body.byteLength];
  for (const [index, end] of places.slice(1).entries()) collector.add(body.subarray(places[index], end));
  expect(collector.length()).toBe(body.byteLength);
  return collector.finish();
}

test('a body is what its pieces were, whether its length was told or not', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 2_000 }), fc.array(fc.nat(2_000), { maxLength: 6 }), (bytes, cuts) => {
      const body = Buffer.from(bytes);
      expect(collect(body, cuts, body.byteLength)).toEqual(body);
      expect(collect(body, cuts, null)).toEqual(body);
    }),
  );
});

test('a body that comes in one piece is not copied', () => {
  const body = Buffer.from('[1]');
  expect(collect(body, [], 3).buffer).toBe(body.buffer);
});

test('of a body that is shorter than was told, there is as much as came', () => {
  expect(collect(Buffer.from('[1'), [1], 3).toString()).toBe('[1');
  expect(createCollector(3).finish().byteLength).toBe(0);
});
