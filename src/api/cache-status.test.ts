import { describe, expect, it } from 'vitest';
import { parseCacheStatus } from './cache-status.ts';

describe('parseCacheStatus', () => {
  it.each([
    ['perpdesk; hit; ttl=12', { cache: 'memory', freshSeconds: 12, staleBecause: null }],
    ['perpdesk; hit; detail=kept', { cache: 'settled', freshSeconds: null, staleBecause: null }],
    ['perpdesk; fwd=miss; collapsed; ttl=59', { cache: 'shared', freshSeconds: 59, staleBecause: null }],
    ['perpdesk; fwd=miss; stored; ttl=9', { cache: 'venue', freshSeconds: 9, staleBecause: null }],
    ['perpdesk; hit; ttl=-31; detail=venue-unreachable', { cache: 'stale', freshSeconds: -31, staleBecause: 'venue-unreachable' }],
    ['perpdesk; hit; ttl=-1', { cache: 'stale', freshSeconds: -1, staleBecause: 'stale' }],
    ['origin; fwd=miss, perpdesk; hit; ttl="3"', { cache: 'memory', freshSeconds: 3, staleBecause: null }],
  ])('reads "%s"', (header, status) => {
    expect(parseCacheStatus(header)).toEqual(status);
  });

  it.each([null, '', 'varnish; hit; ttl=5', 'perpdesk, other; hit', ';;,'])('takes nothing from what is not the gateway’s: %s', (header) => {
    expect(parseCacheStatus(header)).toEqual({ cache: 'unknown', freshSeconds: null, staleBecause: null });
  });
});
