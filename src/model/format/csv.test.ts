import { expect, it } from 'vitest';
import { toDecimal } from '../units/decimal.ts';
import { SOURCE_HEADING, toCsv, toCsvInForm, toSourceCells, toSpreadsheetNumber } from './csv.ts';
import type { Source } from '../response.ts';

it('writes no more digits than a spreadsheet keeps, and no exponent', () => {
  const texts = [
    toDecimal('2').div(3),
    toDecimal('-0.0000001'),
    toDecimal('0.9157'),
    toDecimal('123456789012345678'),
  ].map((value) => toSpreadsheetNumber(value)?.digits);
  expect(texts).toEqual(['0.666666666666667', '-0.0000001', '0.9157', '123456789012346000']);
  expect(toSpreadsheetNumber(null)).toBeNull();
});

const source: Source = {
  endpoint: 'desk/funding',
  target: '/api/desk/funding',
  respondedAt: null,
  receivedAt: 0,
  ageSeconds: 3,
  cache: 'computed',
  requestId: 'r-1',
};

function toNamed(from: Source): Readonly<Record<string, unknown>> {
  const cells = toSourceCells(from);
  expect(cells).toHaveLength(SOURCE_HEADING.length);
  return Object.fromEntries(SOURCE_HEADING.map((name, at) => [name, cells[at]]));
}

it('contain the time of the response, the time received and the age', () => {
  const respondedAt = '2026-11-20T12:00:00.123456789Z' as Source['respondedAt'];
  expect(toNamed({ ...source, respondedAt })).toEqual({
    ...{
      endpoint: 'desk/funding',
      request: 'GET /api/desk/funding',
      responded_at: respondedAt,
      received_at: '1970-01-01T00:00:00.000Z',
      age_s: 3,
    },
    ...{ source: 'computed', request_id: 'r-1' },
  });
});

it('are empty where unknown', () => {
  expect(toNamed({ ...source, ageSeconds: null })).toMatchObject({ responded_at: null, age_s: null });
});

it.each([
  ['2026-11-18T00:00:00Z', '2026-11-18T00:00:00.000000000Z'],
  ['2026-11-18T00:00:00.000Z', '2026-11-18T00:00:00.000000000Z'],
  ['2026-11-18T00:00:00.123456789Z', '2026-11-18T00:00:00.123456789Z'],
  ['2026-11-18', '2026-11-18'],
  ['GET /api/funding-rates/?end_time=2026-11-18T00:00:00Z', 'GET /api/funding-rates/?end_time=2026-11-18T00:00:00Z'],
])('writes %s as %s: equal times are equal texts, whatever they come from', (text, field) => {
  expect(toCsv(['read_at'], [[text]])).toBe(`read_at\r\n${field}\r\n`);
});

it('writes RFC 4180 lines, heading first', () => {
  expect(toCsv(['symbol', 'date'], [[1, null]])).toBe('symbol,date\r\n1,\r\n');
});

it.each([
  ['a,b', '"a,b"'],
  ['say "x"', '"say ""x"""'],
  ['two\nlines', '"two\nlines"'],
  ['plain', 'plain'],
])('%j is written so that it is one field', (text, field) => {
  expect(toCsv(['symbol'], [[text]])).toBe(`symbol\r\n${field}\r\n`);
});

it.each(['=1+1', '+1', '-1', '@sum(A1)', '\tx', '＝1+1', '＋1', '－1', '＠sum(A1)'])(
  'escapes the text %j, which a spreadsheet would read as a formula',
  (text) => {
    expect(toCsv(['symbol'], [[text]])).toBe(`symbol\r\n'${text}\r\n`);
  },
);

it('writes numbers as they are, also negative ones and those beyond float precision', () => {
  expect(toCsv(['symbol'], [[-1.5], [7674028327896836521n]])).toBe('symbol\r\n-1.5\r\n7674028327896836521\r\n');
});

it('a text that starts with a line break is no formula, and one field', () => {
  expect(toCsv(['symbol'], [['\n=1+1']])).toBe('symbol\r\n"\'\n\'=1+1"\r\n');
});

it('a text with a semicolon is one field, also where a semicolon separates fields', () => {
  expect(toCsv(['symbol'], [['a;b']])).toBe('symbol\r\n"a;b"\r\n');
});

it.each([
  ['OI;=1+1', `"OI;'=1+1"`],
  ['x\t+1', "x\t'+1"],
  ['a; =1', `"a;' =1"`],
  ['a;b=1', '"a;b=1"'],
])('%j has no formula where a semicolon or a tab separates fields', (text, field) => {
  expect(toCsv(['symbol'], [[text]])).toBe(`symbol\r\n${field}\r\n`);
  expect(toCsv(['symbol'], [[{ id: text }]])).toBe(`symbol\r\n${field}\r\n`);
});

it('an identifier is marked whether it looks like a number or not, so that equal columns join', () => {
  expect(toCsv(['symbol'], [[{ opaqueId: '3e5' }], [{ opaqueId: '3f' }], [{ opaqueId: '' }]])).toBe(
    "symbol\r\n'3e5\r\n'3f\r\n\r\n",
  );
});

it('leaves the columns of provenance out of a file of figures only', () => {
  const columns = { heading: ['date', 'request', 'orders', 'source'], provenance: ['request', 'source'] } as const;
  const rows = [['2026-11-20', 'GET /api/voi', 5, 'venue']];
  expect(toCsvInForm('full', columns, rows)).toBe('date,request,orders,source\r\n2026-11-20,GET /api/voi,5,venue\r\n');
  expect(toCsvInForm('figures', columns, rows)).toBe('date,orders\r\n2026-11-20,5\r\n');
});
