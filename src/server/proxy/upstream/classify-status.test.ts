import { describe, expect, it } from 'vitest';
import { ENDPOINTS } from '#contract/exchange/endpoints.ts';
import { createBody } from '#server/core/body.ts';
import type { VenueRequest } from '#server/core/ports.ts';
import { classifyStatus, isTransient } from './classify-status.ts';

const request: VenueRequest = {
  name: 'orders',
  endpoint: ENDPOINTS.orders,
  pathParameters: {},
  query: [],
  path: '/v1/prod/orders',
  rawQuery: '',
  target: '/v1/prod/orders',
};
const classify = (status: number, message = '', headers: Readonly<Record<string, string>> = {}) =>
  classifyStatus(request, { status, headers, body: createBody([Buffer.from(message)]) });

describe('a status', () => {
  it.each([
    [400, 'bad-parameter'],
    [414, 'bad-parameter'],
    [404, 'not-found'],
    [429, 'budget-spent'],
    [301, 'venue-fault'],
    [308, 'venue-fault'],
    [201, 'venue-fault'],
    [405, 'venue-fault'],
    [500, 'venue-fault'],
    [599, 'venue-fault'],
  ])('%i is %s', (status, type) => {
    expect(classify(status).type).toBe(type);
  });

  it('400 that means clause 7 has its own problem type, whatever its wording', () => {
    const message = 'More than 10,000 working orders match';
    const working = { ...request, name: 'ordersWorking', endpoint: ENDPOINTS.ordersWorking } as const;
    const classifyWorking = (status: number) =>
      classifyStatus(working, { status, headers: {}, body: createBody([Buffer.from(message)]) });
    expect(classifyWorking(400)).toEqual({ type: 'too-many-working-orders', detail: message });
    expect(classifyWorking(500).type).toBe('venue-fault');
    expect(classify(400, message).type).toBe('bad-parameter');
  });

  it('quotes the exchange’s message if it is a sentence, and not if it is a page', () => {
    expect(classify(500, ' down\n for\ttea ').detail).toBe(
      'The exchange responded to orders with status 500: down for tea',
    );
    expect(classify(502, '<!doctype html><p>Bad').detail).toBe('The exchange responded to orders with status 502');
    expect(classify(400, 'x'.repeat(5_000)).detail.length).toBeLessThan(300);
  });

  it.each([
    [503, '12', 12],
    [503, '0', 1],
    [503, '86400', 300],
    [503, '-1', undefined],
    [503, '1e9', undefined],
    [429, '1.5', 30],
    [404, '12', undefined],
    [302, '12', undefined],
    [503, 'Mon, 17 Aug 2026 12:01:05 GMT', 65],
    [429, 'Mon, 17 Aug 2026 11:00:00 GMT', 1],
    [503, 'Mon, 17 Aug 2026 23:00:00 GMT', 300],
    [503, 'soon', undefined],
  ])('%i with Retry-After %s is retried in %s s', (status, message, seconds) => {
    expect(
      classify(status, '', { 'retry-after': message, 'date': 'Mon, 17 Aug 2026 12:00:00 GMT' }).retryAfterSeconds,
    ).toBe(seconds);
  });

  it('with a retry date but no Date to count from is retried as usual', () => {
    expect(classify(503, '', { 'retry-after': 'Mon, 17 Aug 2026 12:01:05 GMT' }).retryAfterSeconds).toBeUndefined();
  });

  it('is transient if the exchange failed and named no retry time', () => {
    const transient = [200, 204, 301, 400, 403, 404, 429, 499, 500, 502, 503, 599].filter((status) =>
      isTransient(status, classify(status)),
    );
    expect(transient).toEqual([500, 502, 503, 599]);
    expect(isTransient(503, classify(503, '', { 'retry-after': '5' }))).toBe(false);
  });
});
