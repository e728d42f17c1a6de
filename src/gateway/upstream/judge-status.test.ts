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
    for (const said of ['More than 10,000 working orders match', 'more than 10000 working orders']) expect(judge(400, said)).toEqual({ type: 'too-many-working-orders', detail: said });
    expect(judge(500, 'More than 10,000 working orders match').type).toBe('venue-fault');
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
  ])('%i with Retry-After %s is asked again in %s s', (status, said, seconds) => {
    expect(judge(status, '', { 'retry-after': said }).retryAfterSeconds).toBe(seconds);
  });

  it('may pass where the venue failed and did not say when to come back', () => {
    const passing = [200, 204, 301, 400, 403, 404, 429, 499, 500, 502, 503, 599].filter((status) => mayPass(status, judge(status)));
    expect(passing).toEqual([500, 502, 503, 599]);
    expect(mayPass(503, judge(503, '', { 'retry-after': '5' }))).toBe(false);
  });
});
