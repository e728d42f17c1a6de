import { expect, test } from 'vitest';
import { createSealedCursors } from './sealed-texts.ts';

const { seal, open } = createSealedCursors('a secret');

test('a cursor is opened by its owner, also after a restart', () => {
  const cursor = seal('{"after":"NORD-105 é"}', 'orders of NORD-105');
  expect(open(cursor, 'orders of NORD-105')).toBe('{"after":"NORD-105 é"}');
  expect(createSealedCursors('a secret').open(cursor, 'orders of NORD-105')).toBe('{"after":"NORD-105 é"}');
  expect(cursor).toBe(seal('{"after":"NORD-105 é"}', 'orders of NORD-105'));
  expect(cursor).toMatch(/^[\w-]+$/);
});

test('a cursor of an earlier secret is opened while that is accepted, and new ones are of the current secret', () => {
  let earlier: readonly string[] = ['before that', 'a secret'];
  const next = createSealedCursors('the next secret', () => earlier);
  const cursor = seal('7', 'one');
  expect([next.open(cursor, 'one'), next.open(cursor, 'other')]).toEqual(['7', null]);
  expect(open(next.seal('7', 'one'), 'one')).toBeNull();
  earlier = [];
  expect(next.open(cursor, 'one')).toBeNull();
});

test('it says nothing of what it contains, and is of use to nobody else', () => {
  const cursor = seal('7', 'one');
  expect(Buffer.from(cursor, 'base64url').toString('latin1').slice(28)).not.toBe('7');
  expect(seal('7', 'other').slice(38)).not.toBe(cursor.slice(38));
  const changed = `${cursor.slice(0, -1)}${cursor.endsWith('A') ? 'Q' : 'A'}`;
  for (const wrong of [
    open(cursor, 'other'),
    createSealedCursors('another secret').open(cursor, 'one'),
    open(changed, 'one'),
    open('', 'one'),
    open('bm9uZQ', 'one'),
  ])
    expect(wrong).toBeNull();
});
