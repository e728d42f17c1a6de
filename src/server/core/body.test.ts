import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createBody } from './body.ts';

function cut(bytes: Buffer, cuts: readonly number[]): Buffer[] {
  const places = [0, ...cuts.map((place) => place % (bytes.byteLength + 1)).sort((a, b) => a - b), bytes.byteLength];
  return places.slice(1).map((end, index) => bytes.subarray(places[index], end));
}

const someBytes = fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes));
const someCuts = fc.array(fc.nat(200), { maxLength: 6 });

test('a body is its bytes, however they are cut', () => {
  fc.assert(
    fc.property(someBytes, someCuts, someCuts, (bytes, cuts, others) => {
      const body = createBody(cut(bytes, cuts));
      expect(body.whole()).toEqual(bytes);
      expect(body.byteLength).toBe(bytes.byteLength);
      expect(body.equals(createBody(cut(bytes, others)))).toBe(true);
    }),
  );
});

test('a body differs from one with another byte, and from a longer one', () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ minLength: 1, maxLength: 200 }),
      someCuts,
      someCuts,
      fc.nat(),
      (bytes, cuts, others, at) => {
        const body = createBody(cut(Buffer.from(bytes), cuts));
        const changed = Buffer.from(bytes.map((byte, index) => (index === at % bytes.length ? byte ^ 1 : byte)));
        expect(body.equals(createBody(cut(changed, others)))).toBe(false);
        expect(body.equals(createBody(cut(Buffer.from([...bytes, 0]), others)))).toBe(false);
      },
    ),
  );
});

test('a body in one piece is not copied', () => {
  const piece = Buffer.from('[1]');
  expect(createBody([piece]).whole()).toBe(piece);
});
