import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createBody } from '#server/core/body.ts';
import type { VenueResponse } from '#server/core/ports.ts';
import { createMemoryCache } from './memory-cache.ts';

function responseOf(bytes: number): VenueResponse {
  return { body: createBody([Buffer.alloc(bytes, 'x')]), contentType: 'application/json', answeredAt: 0, tag: '"t"' };
}

const KIB = 1_024;
const small = { response: responseOf(2), isSettled: false, isPublic: true };

test('the cache stays within its size and evicts what was used longest ago', () => {
  const cache = createMemoryCache(100 * KIB);
  for (const key of ['a', 'b']) cache.put(key, { response: responseOf(40 * KIB), isSettled: false, isPublic: true });
  cache.find('a');
  cache.put('c', { response: responseOf(40 * KIB), isSettled: false, isPublic: true });
  expect(['a', 'b', 'c'].map((key) => cache.find(key) !== undefined)).toEqual([true, false, true]);
  expect(cache.size().responses).toBe(2);
  expect(cache.size().bytes).toBeGreaterThan(80 * KIB);
});

test('a replaced response is counted once', () => {
  const cache = createMemoryCache(100 * KIB);
  cache.put('a', { response: responseOf(40 * KIB), isSettled: false, isPublic: true });
  cache.put('a', small);
  const once = createMemoryCache(100 * KIB);
  once.put('a', small);
  expect(cache.size()).toEqual(once.size());
});

test('small responses do not exceed the size either', () => {
  const cache = createMemoryCache(100 * KIB);
  for (let index = 0; index < 5_000; index++) cache.put(`/orders?begin_time=${String(index)}`, small);
  expect(cache.size().responses).toBeLessThan(500);
  const ofLongKey = createMemoryCache(100 * KIB);
  ofLongKey.put('k'.repeat(60 * KIB), small);
  expect(ofLongKey.size().bytes).toBeGreaterThan(60 * KIB);
});

test('a response larger than half of the cache is stored, and evicts others', () => {
  const cache = createMemoryCache(100 * KIB);
  cache.put('a', { response: responseOf(40 * KIB), isSettled: false, isPublic: true });
  cache.put('b', { response: responseOf(90 * KIB), isSettled: false, isPublic: true });
  expect(cache.find('b')).toBeDefined();
  expect(cache.size().responses).toBe(1);
});

test('the cache never exceeds its size, and always has the latest response that fits', () => {
  const someUse = fc.record({ key: fc.constantFrom('a', 'b', 'c', 'd', 'e'), bytes: fc.nat(12) });
  fc.assert(
    fc.property(fc.array(someUse), (uses) => {
      const cache = createMemoryCache(10 * KIB);
      for (const { key, bytes } of uses) {
        cache.put(key, { response: responseOf(bytes * KIB), isSettled: false, isPublic: true });
        expect(cache.size().bytes).toBeLessThanOrEqual(10 * KIB);
        expect(cache.find(key) !== undefined).toBe(bytes < 10);
      }
    }),
  );
});
