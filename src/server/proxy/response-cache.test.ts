import fc from 'fast-check';
import { expect, test } from 'vitest';
import { VENUES } from '#contract/exchange/addresses.ts';
import { createBody } from '#server/core/body.ts';
import type { VenueRequest, VenueResponse } from '#server/core/ports.ts';
import { toVenueRequest } from '#server/core/venue-request.ts';
import { sampleResponses } from '#testing/sample-responses.ts';
import { createMemoryCache, isSettled } from './response-cache.ts';

function responseOf(bytes: number): VenueResponse {
  return { body: createBody([Buffer.alloc(bytes, 'x')]), contentType: 'application/json', respondedAt: 0, tag: '"t"' };
}

const KIB = 1_024;
const small = { response: responseOf(2), isSettled: false };

test('the cache stays within its size and evicts what was used longest ago', () => {
  const cache = createMemoryCache(100 * KIB);
  for (const key of ['a', 'b']) cache.put(key, { response: responseOf(40 * KIB), isSettled: false });
  cache.find('a');
  cache.put('c', { response: responseOf(40 * KIB), isSettled: false });
  expect(['a', 'b', 'c'].map((key) => cache.find(key) !== undefined)).toEqual([true, false, true]);
  expect(cache.size().responses).toBe(2);
  expect(cache.size().bytes).toBeGreaterThan(80 * KIB);
});

test('a replaced response is counted once', () => {
  const cache = createMemoryCache(100 * KIB);
  cache.put('a', { response: responseOf(40 * KIB), isSettled: false });
  cache.put('a', small);
  const once = createMemoryCache(100 * KIB);
  once.put('a', small);
  expect(cache.size()).toEqual(once.size());
});

test('small responses do not exceed the size either', () => {
  const cache = createMemoryCache(100 * KIB);
  for (let index = 0; index < 5_000; index++) cache.put(`/orders?begin_time=${String(index)}`, small);
  expect(cache.size().responses).toBeLessThan(500);
  const ofLongKey = createMemoryCache(100 * KIB);
  ofLongKey.put('k'.repeat(60 * KIB), small);
  expect(ofLongKey.size().bytes).toBeGreaterThan(60 * KIB);
});

test('a response larger than half of the cache is stored, and evicts others', () => {
  const cache = createMemoryCache(100 * KIB);
  cache.put('a', { response: responseOf(40 * KIB), isSettled: false });
  cache.put('b', { response: responseOf(90 * KIB), isSettled: false });
  expect(cache.find('b')).toBeDefined();
  expect(cache.size().responses).toBe(1);
});

test('the cache never exceeds its size, and always has the latest response that fits', () => {
  const someUse = fc.record({ key: fc.constantFrom('a', 'b', 'c', 'd', 'e'), bytes: fc.nat(12) });
  fc.assert(
    fc.property(fc.array(someUse), (uses) => {
      const cache = createMemoryCache(10 * KIB);
      for (const { key, bytes } of uses) {
        cache.put(key, { response: responseOf(bytes * KIB), isSettled: false });
        expect(cache.size().bytes).toBeLessThanOrEqual(10 * KIB);
        expect(cache.find(key) !== undefined).toBe(bytes < 10);
      }
    }),
  );
});

const profile = VENUES['sandbox'];
if (profile === undefined) throw new Error('There is no profile of the sandbox.');

const range = (end: string) =>
  [
    ['begin_time', '2026-07-01T00:00:00Z'],
    ['end_time', end],
  ] as const;
const LONG_AFTER = Date.parse('2026-12-01T00:00:00Z');

function isFinal(request: VenueRequest, rows: unknown, respondedAt = LONG_AFTER): boolean {
  const response = {
    body: createBody([Buffer.from(JSON.stringify(rows))]),
    contentType: 'application/json',
    respondedAt,
    tag: '""',
  };
  return isSettled(request, response, respondedAt);
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
