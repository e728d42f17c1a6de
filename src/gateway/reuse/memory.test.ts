import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openTestDisk, stopWrites } from '#testing/test-disk.ts';
import { createBody } from '../body.ts';
import type { VenueAnswer } from '../ports.ts';
import { createKept } from './kept.ts';
import { createMemory } from './memory.ts';

function answerOf(bytes: number, answeredAt = 0): VenueAnswer {
  return { body: createBody([Buffer.alloc(bytes, 'x')]), contentType: 'application/json', answeredAt, tag: '"t"' };
}

test('memory keeps within its bytes, forgetting what was used longest ago', () => {
  const memory = createMemory(100);
  for (const key of ['a', 'b']) memory.remember(key, { answer: answerOf(40), isSettled: false });
  memory.find('a');
  memory.remember('c', { answer: answerOf(40), isSettled: false });
  expect(['a', 'b', 'c'].map((key) => memory.find(key) !== undefined)).toEqual([true, false, true]);
  expect(memory.size()).toEqual({ answers: 2, bytes: 80 });
});

test('memory counts an answer that takes the place of another once', () => {
  const memory = createMemory(100);
  memory.remember('a', { answer: answerOf(40), isSettled: false });
  memory.remember('a', { answer: answerOf(10), isSettled: false });
  expect(memory.size()).toEqual({ answers: 1, bytes: 10 });
});

test('the disk keeps within its bytes, forgetting the oldest', () => {
  const kept = createKept(openTestDisk(), 10_000);
  for (let index = 0; index < 300; index++) kept.keep(`k${String(index)}`, answerOf(100, index));
  expect(kept.size().bytes).toBeLessThanOrEqual(10_000);
  expect(kept.find('k299')?.body.byteLength).toBe(100);
  expect(kept.find('k0')).toBeUndefined();
});

test('what the disk has no room for is not kept', () => {
  const disk = openTestDisk();
  const kept = createKept(disk, 10_000);
  stopWrites(disk);
  kept.keep('k', answerOf(100));
  expect(kept.find('k')).toBeUndefined();
  expect(kept.size()).toEqual({ answers: 0, bytes: 0 });
});

test('memory holds an answer that is larger than the half of it, and forgets others for it', () => {
  const memory = createMemory(100);
  memory.remember('a', { answer: answerOf(40), isSettled: false });
  memory.remember('b', { answer: answerOf(90), isSettled: false });
  expect(memory.find('b')).toBeDefined();
  expect(memory.size()).toEqual({ answers: 1, bytes: 90 });
});

test('memory never takes more than its bytes, and holds what came last where it can', () => {
  const someUse = fc.record({ key: fc.constantFrom('a', 'b', 'c', 'd', 'e'), bytes: fc.nat(120) });
  fc.assert(
    fc.property(fc.array(someUse), (uses) => {
      const memory = createMemory(100);
      for (const { key, bytes } of uses) {
        memory.remember(key, { answer: answerOf(bytes), isSettled: false });
        expect(memory.size().bytes).toBeLessThanOrEqual(100);
        expect(memory.find(key) !== undefined).toBe(bytes <= 100);
      }
    }),
  );
});
