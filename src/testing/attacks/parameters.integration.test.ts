import { beforeEach, describe, expect, it } from 'vitest';
import type { ProblemDocument } from '#contract/desk/problems.ts';
import { openHostile } from './open-hostile.ts';

const hostile = await openHostile();

beforeEach(() => {
  hostile.venue.forget();
});

describe('an invalid parameter is rejected by name, and never sent', () => {
  it.each([
    ['x=1', 'x'],
    ['Limit=1', 'Limit'],
    ['limit%20=1', 'limit?'],
    ['limit[]=1', 'limit[]'],
    ['limit%00=1', 'limit?'],
    ['limit%0d%0aX-Injected:%201=1', 'limit??X-Injected:?1'],
    ['__proto__=1', '__proto__'],
    ['constructor=1', 'constructor'],
    ['toString', 'toString'],
    ['hasOwnProperty=1', 'hasOwnProperty'],
    ['&limit=1', ''],
    ['limit=1&', ''],
    ['=1', ''],
    ['?limit=1', '?limit'],
    ['end_time;limit=1', 'end_time;limit'],
    ['%ff=1', undefined],
    ['limit=%', undefined],
    ['limit=%zz', undefined],
    ['limit=1#x', undefined],
    ['account_id=a#b', undefined],
    ['#', undefined],
    ['limit=1&limit=1', 'limit'],
    ['limit=1&%6cimit=2', 'limit'],
    ['product_id=1&product_id=2', 'product_id'],
    ['limit=', 'limit'],
    ['limit', 'limit'],
    ['limit=0', 'limit'],
    ['limit=1001', 'limit'],
    ['limit=1%0a', 'limit'],
    ['limit=%0a1', 'limit'],
    ['limit=%D9%A1', 'limit'],
    ['order=ASC', 'order'],
    ['order=asc%00', 'order'],
    ['product_type=future', 'product_type'],
    ['account_id=a%0d%0aX-Injected:%201', 'account_id'],
    ['account_id=a%0aHost:%20evil.example', 'account_id'],
    ['account_id=%C4%8D%C4%8A', 'account_id'],
    ['account_id=caf%C3%A9', 'account_id'],
    ['account_id=%20a', 'account_id'],
    [`account_id=${'a'.repeat(65)}`, 'account_id'],
    ['connection_id=3g', 'connection_id'],
    ['begin_time=2026-02-31T00:00:00Z', 'begin_time'],
    ['begin_time=2026-08-17T00:00:00', 'begin_time'],
    ['begin_time=now', 'begin_time'],
    ['begin_time=2026-08-17T00:00:00Z%0d%0a', 'begin_time'],
    ['day=2026-13-01', 'day'],
    ['cursor=%0d%0a', 'cursor'],
    ['cursor=a%20b', 'cursor'],
    [`cursor=${'c'.repeat(2_049)}`, 'cursor'],
  ])('%s', async (query, parameter) => {
    const answer = await hostile.request({ path: `/api/orders?${query}` });
    expect(answer.status).toBe(400);
    const { type, parameter: named } = JSON.parse(answer.body.toString()) as Partial<ProblemDocument>;
    expect({ type, named }).toEqual({ type: 'urn:perpdesk:problem:bad-parameter', named: parameter });
    expect(answer.headers['x-injected']).toBeUndefined();
    expect(hostile.venue.requests).toEqual([]);
  });

  it('and shows nothing of it that could be read as anything else', async () => {
    const answer = await hostile.request({ path: `/api/orders?%3Cscript%3Ealert(1)%3C/script%3E${'x'.repeat(100)}=1` });
    expect(answer.headers).toMatchObject({
      'content-type': 'application/problem+json',
      'x-content-type-options': 'nosniff',
    });
    expect((JSON.parse(answer.body.toString()) as { readonly parameter: string }).parameter).toHaveLength(40);
  });
});

describe('paths without parameters accept none', () => {
  it.each([
    '/api/desk/status?x=1',
    '/api/desk/products?limit=1',
    '/api/desk/policy?a',
    '/healthz?a=1',
    '/metrics?name[]=x',
    '/readyz?verbose',
    '/healthz??',
    '/api/desk/status??',
    '/api/funding-rates/estimated/BTC?limit=1',
    '/api/web/market/stats/trailing/all-products?x',
  ])('%s', async (path) => {
    const { status } = await hostile.request({ path });
    expect(status).toBe(400);
    expect(hostile.venue.requests).toEqual([]);
  });

  it('and the working set takes the filters of working orders only', async () => {
    const { status } = await hostile.request({ path: '/api/desk/working?limit=1' });
    expect(status).toBe(400);
    expect(hostile.venue.requests).toEqual([]);
  });
});

it('a question mark in a value is a part of it, also for the working set', async () => {
  await hostile.request({ path: '/api/desk/working?account_id=a?b' });
  expect(hostile.venue.requests.map(({ target }) => target)).toContain(
    '/exchange/api/v1/prod/orders/working?account_id=a%3Fb',
  );
});

it('a line break inside a cursor that came encoded stays encoded', async () => {
  const { status } = await hostile.request({ path: '/api/orders?cursor=a%250d%250aX-Injected:%25201' });
  expect(status).toBe(200);
  const [request] = hostile.venue.requests.filter(({ target }) => target.includes('cursor'));
  expect(request?.target).toBe('/exchange/api/v1/prod/orders?cursor=a%0D%0AX-Injected:%201');
  expect(request?.headers.map(([name]) => name)).not.toContain('x-injected');
});
