import { describe, expect, it } from 'vitest';
import { printAt, toWirePrints } from '#testing/funding-prints.ts';
import { withOwnKeys } from './own-keys.ts';

/** Newest first, as the wire has them; 12 is there twice, and so is 10. */
const prints = toWirePrints([10, 10, 11, 12, 12, 13].map((at) => printAt(at, '0.0001'))).map((row) => ({ row }));
const keysOf = (some: typeof prints): readonly string[] => withOwnKeys(some, ({ row }) => row.interval_end).map(({ key }) => key);

describe('the keys of prints', () => {
  it('are each their own, also where a print comes twice', () => {
    expect(new Set(keysOf(prints)).size).toBe(prints.length);
  });

  it('stay when older prints are appended, even where a page ends between two of the same interval', () => {
    expect(keysOf(prints).slice(0, -1)).toEqual(keysOf(prints.slice(0, -1)));
    expect(keysOf(prints).slice(0, 2)).toEqual(keysOf(prints.slice(0, 2)));
  });

  it('stay when newer prints are prepended', () => {
    expect(keysOf(prints).slice(1)).toEqual(keysOf(prints.slice(1)));
    expect(keysOf(prints).slice(3)).toEqual(keysOf(prints.slice(3)));
  });
});

it('of what cannot be told apart, as two unreadable prints, each has a key of its own', () => {
  const faults = [{ kind: 'unreadable' }, { kind: 'unreadable' }, { kind: 'overlap' }];
  expect(withOwnKeys(faults, ({ kind }) => kind).map(({ key }) => key)).toEqual(['unreadable 1', 'unreadable 2', 'overlap 1']);
});
