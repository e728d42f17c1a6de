import { expect, it } from 'vitest';
import { keepLatest } from './keep-latest.ts';

it('of entries in a map those used last are kept', () => {
  const entries = new Map<string, number>();
  for (const key of ['a', 'b', 'a', 'c', 'd']) keepLatest(entries, key, 1, 3);
  expect([...entries.keys()]).toEqual(['a', 'c', 'd']);
});

it('an entry put again has its new value', () => {
  const entries = new Map([['a', 1]]);
  keepLatest(entries, 'a', 2, 1);
  expect([...entries]).toEqual([['a', 2]]);
});
