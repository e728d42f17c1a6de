import { describe, expect, it } from 'vitest';
import type { DeskStatus } from '#contract/desk.ts';
import type { DeskPolicy } from '#contract/desk-policy.ts';
import { endpointRowsToCsv, isOdd, toEndpointRows } from './endpoint-rows.ts';

const asked = { endpoint: 'orders', asked: 4, failed: 0, last_at: '2026-11-20T12:00:00Z', last_status: 200, last_how: 'hit', venue_at: '2026-11-20T11:59:58Z', venue_ms: 41.5 };
const never = { endpoint: 'chartVoi', asked: 0, failed: 0, last_at: null, last_status: null, last_how: null, venue_at: null, venue_ms: null };
const policy = {
  endpoints: [
    { name: 'orders', upstream: '/v1/prod/orders', reuse_seconds: 5 },
    { name: 'chartVoi', upstream: '/web/charts/voi', reuse_seconds: 60 },
  ],
} as unknown as DeskPolicy;

function statusWith(outcomes: Readonly<Record<string, string>>, first = asked): DeskStatus {
  const rows = Object.entries(outcomes).map(([subject, outcome]) => ({ subject, outcome, remark: '' }));
  return { endpoints: [first, never], self_test: { at: asked.last_at, rows } } as unknown as DeskStatus;
}

describe('rows of endpoints', () => {
  it('join what was asked, how often it may be, and how its shape was found', () => {
    const [orders, chartVoi] = toEndpointRows(statusWith({ '/v1/prod/orders': 'drift', '/web/charts/voi': 'good' }), policy);
    expect(orders).toMatchObject({ name: 'orders', asked: 4, venueAt: '2026-11-20T11:59:58Z', venueMs: 41.5, everySeconds: 5, shape: 'drift' });
    expect(chartVoi).toMatchObject({ name: 'chartVoi', lastAt: null, everySeconds: 60, shape: 'good' });
  });

  it('are there before the policy and the self-test are', () => {
    const rows = toEndpointRows({ ...statusWith({}), self_test: null }, undefined);
    expect(rows.map(({ everySeconds, shape }) => [everySeconds, shape])).toEqual([[null, null], [null, null]]);
  });

  it('are odd by a failure, by drift and by a failed test, not by an endpoint that is not offered', () => {
    const oddOf = (status: DeskStatus) => toEndpointRows(status, policy).filter(isOdd).map(({ name }) => name);
    expect(oddOf(statusWith({ '/web/charts/voi': 'not offered', '/v1/prod/orders': 'good' }))).toEqual([]);
    expect(oddOf(statusWith({ '/web/charts/voi': 'failed', '/v1/prod/orders': 'drift' }))).toEqual(['orders', 'chartVoi']);
    expect(oddOf(statusWith({}, { ...asked, failed: 1 }))).toEqual(['orders']);
    expect(oddOf(statusWith({ '/web/charts/voi': 'wobbling' }))).toEqual(['chartVoi']);
  });

  it('are written to a file with nothing where nothing is known', () => {
    const lines = endpointRowsToCsv(toEndpointRows(statusWith({ '/web/charts/voi': 'good' }), policy)).split('\r\n');
    expect(lines[1]).toBe('orders,4,0,2026-11-20T12:00:00Z,200,hit,2026-11-20T11:59:58Z,41.5,5,');
    expect(lines[2]).toBe('chartVoi,0,0,,,,,,60,good');
  });
});
