import { expect, test } from 'vitest';
import { VENUES } from '#contract/exchange/venues.ts';
import { sampleResponses } from '#testing/sample-responses.ts';
import { createBody } from '#server/core/body.ts';
import type { VenueRequest } from '#server/core/ports.ts';
import { toVenueRequest } from '#server/core/venue-request.ts';
import { isSettled } from './settled.ts';

const profile = VENUES['sandbox'];
if (profile === undefined) throw new Error('There is no profile of the sandbox.');

const range = (end: string) =>
  [
    ['begin_time', '2026-07-01T00:00:00Z'],
    ['end_time', end],
  ] as const;
const LONG_AFTER = Date.parse('2026-12-01T00:00:00Z');

function isFinal(request: VenueRequest, rows: unknown, answeredAt = LONG_AFTER): boolean {
  const response = {
    body: createBody([Buffer.from(JSON.stringify(rows))]),
    contentType: 'application/json',
    answeredAt,
    tag: '""',
  };
  return isSettled(request, response, answeredAt);
}

const funding = (end: string, named: readonly (readonly [string, string])[] = [['product_id', '5599']]) =>
  toVenueRequest(profile, 'fundingRates', {}, [...named, ...range(end)]);
const printsUntil = (...ends: readonly string[]) => ({
  data: ends.map((interval_end) => ({ ...sampleResponses.fundingRates.data[0], interval_end })),
  pagination: { cursor: null },
});

test.each([
  ['without rows', '2026-08-17T00:00:00Z', [], false],
  [
    'up to the last funding time before its end',
    '2026-08-17T00:00:00Z',
    ['2026-08-16T08:00:00Z', '2026-08-16T16:00:00Z'],
    true,
  ],
  ['newest first', '2026-08-17T00:00:00Z', ['2026-08-16T16:00:00Z', '2026-08-16T08:00:00Z'], true],
  ['without the last print', '2026-08-17T00:00:00Z', ['2026-08-16T08:00:00Z'], false],
  ['up to an end between two funding times', '2026-08-17T03:00:00Z', ['2026-08-17T00:00:00Z'], true],
  ['without the last print before its end', '2026-08-17T03:00:00Z', ['2026-08-16T16:00:00Z'], false],
])('funding %s', (_, end, ends, settled) => {
  expect(isFinal(funding(end), printsUntil(...ends))).toBe(settled);
});

test('funding of all products together is never settled: one of them may be late', () => {
  const prints = printsUntil('2026-08-16T16:00:00Z');
  expect(isFinal(funding('2026-08-17T00:00:00Z', []), prints)).toBe(false);
  expect(isFinal(funding('2026-08-17T00:00:00Z', [['base_symbol', 'BTCUC']]), prints)).toBe(true);
});

test('whether a response is settled depends on when the exchange sent it', () => {
  const prints = printsUntil('2026-08-16T16:00:00Z');
  expect(isFinal(funding('2026-08-17T00:00:00Z'), prints, Date.parse('2026-08-17T00:59:59Z'))).toBe(false);
  expect(isFinal(funding('2026-08-17T00:00:00Z'), prints, Date.parse('2026-08-17T01:00:00Z'))).toBe(true);
});

const days = toVenueRequest(profile, 'chartVoi', {}, [['product_id', '1547'], ...range('2026-08-17T00:00:00Z')]);
const dayOf = (date: string, openInterest: number | null = 392) => ({
  ...sampleResponses.chartVoi[0],
  date,
  openInterest,
});

test.each([
  ['without rows', [], false],
  ['up to the last day', [dayOf('2026-08-15'), dayOf('2026-08-16')], true],
  ['up to the day before a weekend and a holiday', [dayOf('2026-08-12'), dayOf('2026-08-13')], true],
  ['without the last days', [dayOf('2026-08-10'), dayOf('2026-08-11')], false],
  ['without the open interest of the last day', [dayOf('2026-08-15'), dayOf('2026-08-16', null)], false],
  ['with an open interest that an earlier day never had', [dayOf('2026-08-15', null), dayOf('2026-08-16')], true],
  [
    'without the open interest of one product',
    [dayOf('2026-08-16', null), { ...dayOf('2026-08-16'), productId: 5_599 }],
    false,
  ],
])('closed days %s', (_, rows, settled) => {
  expect(isFinal(days, rows)).toBe(settled);
});

const prices = toVenueRequest(profile, 'chartPrice', { id: '1547' }, range('2026-08-17T00:00:00Z'));

test.each([
  ['up to the last settlement', '2026-08-16T21:00:00Z', true],
  ['up to the settlement before a weekend and a holiday', '2026-08-13T21:00:00Z', true],
  ['without the last settlements', '2026-08-12T21:00:00Z', false],
])('prices %s', (_, time, settled) => {
  expect(isFinal(prices, [{ ...sampleResponses.chartPrice[0], time }])).toBe(settled);
});

test('a response with a row that was not requested, is outside the range or contradicts another is not final', () => {
  const [sound] = printsUntil('2026-08-16T16:00:00Z').data;
  const withPrint = (fields: object) => ({
    data: [
      { ...sound, product_id: 5_599 },
      { ...sound, product_id: 5_599, ...fields },
    ],
    pagination: {},
  });
  expect(isFinal(funding('2026-08-17T00:00:00Z'), withPrint({}))).toBe(true);
  expect(isFinal(funding('2026-08-17T00:00:00Z'), withPrint({ product_id: 5_608 }))).toBe(false);
  expect(isFinal(funding('2026-08-17T00:00:00Z'), withPrint({ interval_end: '2026-06-16T16:00:00Z' }))).toBe(false);
  expect(isFinal(days, [dayOf('2026-08-15'), dayOf('2026-08-16')])).toBe(true);
  expect(isFinal(days, [dayOf('2026-08-15'), dayOf('2026-08-16'), dayOf('2026-08-16', 393)])).toBe(false);
});
