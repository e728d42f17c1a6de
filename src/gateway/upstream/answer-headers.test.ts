import { describe, expect, it } from 'vitest';
import { hint, single } from './answer-headers.ts';

describe('a header that may be there once', () => {
  it.each([
    [undefined, undefined],
    ['a', 'a'],
    [['a'], 'a'],
    [['a', 'a'], 'a'],
  ])('%j is %s', (value, expected) => {
    expect(single({ x: value }, 'x')).toBe(expected);
  });

  it('twice and different is a broken answer', () => {
    expect(() => single({ x: ['a', 'b'] }, 'x')).toThrow('The venue’s answer gives x twice.');
  });
});

describe('a header that can be done without', () => {
  it.each([
    [undefined, undefined],
    ['a', 'a'],
    [['a', 'b'], undefined],
  ])('%j is %s', (value, expected) => {
    expect(hint({ x: value }, 'x')).toBe(expected);
  });
});
