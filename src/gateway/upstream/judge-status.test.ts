import { describe, expect, it } from 'vitest';
import { ENDPOINTS } from '#contract/endpoints.ts';
import { createBody } from '../body.ts';
import type { Question } from '../ports.ts';
import { judgeStatus, mayPass } from './judge-status.ts';

const question: Question = { name: 'orders', endpoint: ENDPOINTS.orders, pathParameters: {}, query: [], path: '/v1/prod/orders', rawQuery: '', target: '/v1/prod/orders' };
const judge = (status: number, said = '', headers: Readonly<Record<string, string>> = {}) => judgeStatus(question, { status, headers, body: createBody([Buffer.from(said)]) });

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
    expect(judge(status).type).toBe(type);
  });

  it('of 400 that speaks of clause 7 is its own kind, in whatever words', () => {
    const said = 'More than 10,000 working orders match';
    const working = { ...question, name: 'ordersWorking', endpoint: ENDPOINTS.ordersWorking } as const;
    const judgeWorking = (status: number) => judgeStatus(working, { status, headers: {}, body: createBody([Buffer.from(said)]) });
    expect(judgeWorking(400)).toEqual({ type: 'too-many-working-orders', detail: said });
    expect(judgeWorking(500).type).toBe('venue-fault');
    expect(judge(400, said).type).toBe('bad-parameter');
  });

  it('is told with the venue’s words where they are a sentence, and without where they are a page', () => {
    expect(judge(500, ' down\n for\ttea ').detail).toBe('The venue answered orders with status 500: down for tea');
    expect(judge(502, '<!doctype html><p>Bad').detail).toBe('The venue answered orders with status 502');
    expect(judge(400, 'x'.repeat(5_000)).detail.length).toBeLessThan(300);
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
  ])('%i with Retry-After %s is asked again in %s s', (status, said, seconds) => {
    expect(judge(status, '', { 'retry-after': said, date: 'Mon, 17 Aug 2026 12:00:00 GMT' }).retryAfterSeconds).toBe(seconds);
  });

  it('with a date to come back at, and none to count from, is asked again as usual', () => {
    expect(judge(503, '', { 'retry-after': 'Mon, 17 Aug 2026 12:01:05 GMT' }).retryAfterSeconds).toBeUndefined();
  });

  it('may pass where the venue failed and did not say when to come back', () => {
    const passing = [200, 204, 301, 400, 403, 404, 429, 499, 500, 502, 503, 599].filter((status) => mayPass(status, judge(status)));
    expect(passing).toEqual([500, 502, 503, 599]);
    expect(mayPass(503, judge(503, '', { 'retry-after': '5' }))).toBe(false);
  });
});
