import { describe, expect, it } from 'vitest';
import { ageMsOf, optional, parseHttpDate, single } from './response-headers.ts';

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

describe('a date', () => {
  it.each([
    ['Mon, 17 Aug 2026 12:00:05 GMT', Date.UTC(2026, 7, 17, 12, 0, 5)],
    ['Thu, 01 Jan 1970 00:00:00 GMT', 0],
  ])('%j is read', (text, at) => {
    expect(parseHttpDate(text)).toBe(at);
  });

  it.each([
    undefined,
    '',
    'Invalid Date',
    '0',
    '-1',
    '2026-08-17T12:00:05Z',
    '+275760-09-13T00:00:00Z',
    'Sat, 13 Sep 275760 00:00:00 GMT',
    'Tue, 17 Aug 2026 12:00:05 GMT',
    'Mon, 17 Aug 2026 24:00:00 GMT',
    'Mon, 31 Feb 2026 12:00:05 GMT',
    'Mon, 17 Aug 2026 12:00:05 +0200',
    'Mon, 7 Aug 2026 12:00:05 GMT',
    'mon, 17 aug 2026 12:00:05 gmt',
    'Monday, 17-Aug-26 12:00:05 GMT',
    'Mon Aug 17 12:00:05 2026',
    ' Mon, 17 Aug 2026 12:00:05 GMT',
    'Mon, 17 Aug 2026 12:00:05 GMT\n',
  ])('%j is none', (text) => {
    expect(parseHttpDate(text)).toBeNull();
  });
});
