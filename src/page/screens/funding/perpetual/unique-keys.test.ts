import { describe, expect, it } from 'vitest';
import { printAt, toWirePrints } from '#testing/settled-rates.ts';
import { withUniqueKeys } from './unique-keys.ts';

/** Rates are newest first; 12 and 10 are duplicated. */
const prints = toWirePrints([10, 10, 11, 12, 12, 13].map((at) => printAt(at, '0.0001'))).map((row) => ({ row }));
const keysOf = (some: typeof prints): readonly string[] =>
  withUniqueKeys(some, ({ row }) => row.interval_end).map(({ key }) => key);

describe('unique keys', () => {
  it('differ for duplicates', () => {
    expect(new Set(keysOf(prints)).size).toBe(prints.length);
  });

  it('stay the same when older items are appended, even where a page ends between duplicates', () => {
    expect(keysOf(prints).slice(0, -1)).toEqual(keysOf(prints.slice(0, -1)));
    expect(keysOf(prints).slice(0, 2)).toEqual(keysOf(prints.slice(0, 2)));
  });

  it('stay the same when newer items are prepended', () => {
    expect(keysOf(prints).slice(1)).toEqual(keysOf(prints.slice(1)));
    expect(keysOf(prints).slice(3)).toEqual(keysOf(prints.slice(3)));
  });
});

it('differ for items with the same text', () => {
  const faults = [{ kind: 'unreadable' }, { kind: 'unreadable' }, { kind: 'overlap' }];
  expect(withUniqueKeys(faults, ({ kind }) => kind).map(({ key }) => key)).toEqual([
    'unreadable 1',
    'unreadable 2',
    'overlap 1',
  ]);
});
