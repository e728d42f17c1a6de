import { expect, it } from 'vitest';
import { toCsv } from './csv.ts';

it('lines end as RFC 4180 says, the heading first', () => {
  expect(toCsv(['a', 'b'], [[1, null]])).toBe('a,b\r\n1,\r\n');
});

it.each([
  ['a,b', '"a,b"'],
  ['say "x"', '"say ""x"""'],
  ['two\nlines', '"two\nlines"'],
  ['plain', 'plain'],
])('%j is written so that it is one field', (text, field) => {
  expect(toCsv(['h'], [[text]])).toBe(`h\r\n${field}\r\n`);
});

it.each(['=1+1', '+1', '-1', '@sum(A1)', '\tx'])('the text %j is no formula in a spreadsheet', (text) => {
  expect(toCsv(['h'], [[text]])).toBe(`h\r\n'${text}\r\n`);
});

it('a number stays a number, also below zero and past what a float holds', () => {
  expect(toCsv(['h'], [[-1.5], [7674028327896836521n]])).toBe('h\r\n-1.5\r\n7674028327896836521\r\n');
});
