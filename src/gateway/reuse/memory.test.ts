import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createBody } from '../body.ts';
import type { VenueAnswer } from '../ports.ts';
import { createMemory } from './memory.ts';

function answerOf(bytes: number): VenueAnswer {
  return { body: createBody([Buffer.alloc(bytes, 'x')]), contentType: 'application/json', answeredAt: 0, tag: '"t"' };
}

const KIB = 1_024;
const small = { answer: answerOf(2), isSettled: false };

test('memory keeps within its bytes, forgetting what was used longest ago', () => {
  const memory = createMemory(100 * KIB);
  for (const key of ['a', 'b']) memory.remember(key, { answer: answerOf(40 * KIB), isSettled: false });
  memory.find('a');
  memory.remember('c', { answer: answerOf(40 * KIB), isSettled: false });
  expect(['a', 'b', 'c'].map((key) => memory.find(key) !== undefined)).toEqual([true, false, true]);
  expect(memory.size().answers).toBe(2);
  expect(memory.size().bytes).toBeGreaterThan(80 * KIB);
});

test('memory counts an answer that takes the place of another once', () => {
  const memory = createMemory(100 * KIB);
  memory.remember('a', { answer: answerOf(40 * KIB), isSettled: false });
  memory.remember('a', small);
  const once = createMemory(100 * KIB);
  once.remember('a', small);
  expect(memory.size()).toEqual(once.size());
});

test('answers without rows, to ever new questions, do not fill memory past its bytes', () => {
  const memory = createMemory(100 * KIB);
  for (let index = 0; index < 5_000; index++) memory.remember(`/orders?begin_time=${String(index)}`, small);
  expect(memory.size().answers).toBeLessThan(500);
  const ofLongKey = createMemory(100 * KIB);
  ofLongKey.remember('k'.repeat(60 * KIB), small);
  expect(ofLongKey.size().bytes).toBeGreaterThan(60 * KIB);
});

test('memory holds an answer that is larger than the half of it, and forgets others for it', () => {
  const memory = createMemory(100 * KIB);
  memory.remember('a', { answer: answerOf(40 * KIB), isSettled: false });
  memory.remember('b', { answer: answerOf(90 * KIB), isSettled: false });
  expect(memory.find('b')).toBeDefined();
  expect(memory.size().answers).toBe(1);
});

test('memory never takes more than its bytes, and holds what came last where it can', () => {
  const someUse = fc.record({ key: fc.constantFrom('a', 'b', 'c', 'd', 'e'), bytes: fc.nat(12) });
  fc.assert(
    fc.property(fc.array(someUse), (uses) => {
      const memory = createMemory(10 * KIB);
      for (const { key, bytes } of uses) {
        memory.remember(key, { answer: answerOf(bytes * KIB), isSettled: false });
        expect(memory.size().bytes).toBeLessThanOrEqual(10 * KIB);
        expect(memory.find(key) !== undefined).toBe(bytes < 10);
      }
    }),
  );
});
