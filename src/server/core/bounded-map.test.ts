import { expect, it } from 'vitest';
import { setBounded } from './maps.ts';

it('the entries set last are kept', () => {
  const entries = new Map<string, number>();
  for (const key of ['a', 'b', 'a', 'c', 'd']) setBounded(entries, key, 1, 3);
  expect([...entries.keys()]).toEqual(['a', 'c', 'd']);
});

it('an entry set again has its new value', () => {
  const entries = new Map([['a', 1]]);
  setBounded(entries, 'a', 2, 1);
  expect([...entries]).toEqual([['a', 2]]);
});
