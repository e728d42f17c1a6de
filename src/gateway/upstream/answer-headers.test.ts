import { describe, expect, it } from 'vitest';
import { ageMsOf, hint, single } from './answer-headers.ts';

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

describe('the age of an answer', () => {
  it.each([
    [undefined, 0],
    ['0', 0],
    ['600', 600_000],
    ['-5', 0],
    ['1.5', 0],
    ['soon', 0],
    [['5', '6'], 0],
  ])('%j is %i ms', (age, milliseconds) => {
    expect(ageMsOf({ age })).toBe(milliseconds);
  });
});
