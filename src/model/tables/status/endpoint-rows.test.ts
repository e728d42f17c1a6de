import { describe, expect, it } from 'vitest';
import type { DeskStatus } from '#contract/desk/status.ts';
import type { DeskPolicy } from '#contract/desk/policy.ts';
import { endpointRowsToCsv, hasIssue, toEndpointRows } from './endpoint-rows.ts';

const used = {
  endpoint: 'orders',
  asked: 4,
  failed: 0,
  over_budget: 0,
  last_at: '2026-11-20T12:00:00Z',
  last_status: 200,
  last_how: 'hit',
  venue_at: '2026-11-20T11:59:58Z',
  venue_ms: 41.5,
};
const unused = {
  endpoint: 'chartVoi',
  asked: 0,
  failed: 0,
  over_budget: 0,
  last_at: null,
  last_status: null,
  last_how: null,
  venue_at: null,
  venue_ms: null,
};
const policy = {
  endpoints: [
    { name: 'orders', upstream: '/v1/prod/orders', reuse_seconds: 5 },
    { name: 'chartVoi', upstream: '/web/charts/voi', reuse_seconds: 60 },
  ],
} as unknown as DeskPolicy;

function statusWith(outcomes: Readonly<Record<string, string>>, first = used): DeskStatus {
  const rows = Object.entries(outcomes).map(([subject, outcome]) => ({ subject, outcome, remark: '' }));
  return { endpoints: [first, unused], self_test: { at: used.last_at, rows } } as unknown as DeskStatus;
}

describe('rows of endpoints', () => {
  it('join requests, refresh interval and schema check', () => {
    const [orders, chartVoi] = toEndpointRows(
      statusWith({ '/v1/prod/orders': 'drift', '/web/charts/voi': 'good' }),
      policy,
    );
    expect(orders).toMatchObject({
      name: 'orders',
      requests: 4,
      venueAt: '2026-11-20T11:59:58Z',
      venueMs: 41.5,
      everySeconds: 5,
      shape: 'drift',
    });
    expect(chartVoi).toMatchObject({ name: 'chartVoi', lastAt: null, everySeconds: 60, shape: 'good' });
  });

  it('exist before the policy and the self-test are known', () => {
    const rows = toEndpointRows({ ...statusWith({}), self_test: null }, undefined);
    expect(rows.map(({ everySeconds, shape }) => [everySeconds, shape])).toEqual([
      [null, null],
      [null, null],
    ]);
  });

  it('have an issue after a failure, drift or a failed test, but not for an endpoint that is not offered', () => {
    const issuesOf = (status: DeskStatus) =>
      toEndpointRows(status, policy)
        .filter(hasIssue)
        .map(({ name }) => name);
    expect(issuesOf(statusWith({ '/web/charts/voi': 'not offered', '/v1/prod/orders': 'good' }))).toEqual([]);
    expect(issuesOf(statusWith({ '/web/charts/voi': 'failed', '/v1/prod/orders': 'drift' }))).toEqual([
      'orders',
      'chartVoi',
    ]);
    expect(issuesOf(statusWith({}, { ...used, failed: 1 }))).toEqual(['orders']);
    expect(issuesOf(statusWith({ '/web/charts/voi': 'wobbling' }))).toEqual(['chartVoi']);
  });

  it('have empty CSV cells for unknown values', () => {
    const lines = endpointRowsToCsv(toEndpointRows(statusWith({ '/web/charts/voi': 'good' }), policy)).split('\r\n');
    expect(lines[1]).toBe('orders,4,0,2026-11-20T12:00:00.000000000Z,200,hit,2026-11-20T11:59:58.000000000Z,41.5,5,,0');
    expect(lines[2]).toBe('chartVoi,0,0,,,,,,60,good,0');
  });
});
