import { describe, expect, it } from 'vitest';
import { ageMsOf, optional, single } from './response-headers.ts';

describe('a header that may occur once', () => {
  it.each([
    [undefined, undefined],
    ['a', 'a'],
    [['a'], 'a'],
    [['a', 'a'], 'a'],
  ])('%j is %s', (value, expected) => {
    expect(single({ x: value }, 'x')).toBe(expected);
  });

  it('with two different values makes the response unreadable', () => {
    expect(() => single({ x: ['a', 'b'] }, 'x')).toThrow('The exchange’s response has two different x headers.');
  });
});

describe('an optional header', () => {
  it.each([
    [undefined, undefined],
    ['a', 'a'],
    [['a', 'b'], undefined],
  ])('%j is %s', (value, expected) => {
    expect(optional({ x: value }, 'x')).toBe(expected);
  });
});

describe('the age of a response', () => {
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
