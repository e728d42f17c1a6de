import { describe, expect, it } from 'vitest';
import { parseCacheStatus } from './http-client.ts';

describe('parseCacheStatus', () => {
  it.each([
    ['perpdesk; hit; ttl=12', { cache: 'hit', freshSeconds: 12, staleBecause: null }],
    ['perpdesk; hit; detail=disk', { cache: 'disk-hit', freshSeconds: null, staleBecause: null }],
    ['perpdesk; fwd=miss; collapsed; ttl=59', { cache: 'coalesced', freshSeconds: 59, staleBecause: null }],
    ['perpdesk; fwd=miss; stored; ttl=9', { cache: 'miss', freshSeconds: 9, staleBecause: null }],
    [
      'perpdesk; hit; ttl=-31; detail=venue-unreachable',
      { cache: 'stale', freshSeconds: -31, staleBecause: 'venue-unreachable' },
    ],
    ['perpdesk; hit; ttl=-1', { cache: 'stale', freshSeconds: -1, staleBecause: 'stale' }],
    ['origin; fwd=miss, perpdesk; hit; ttl="3"', { cache: 'hit', freshSeconds: 3, staleBecause: null }],
  ])('reads "%s"', (header, status) => {
    expect(parseCacheStatus(header)).toEqual(status);
  });

  it.each([null, '', 'varnish; hit; ttl=5', 'perpdesk, other; hit', ';;,'])(
    'ignores entries of other caches: %s',
    (header) => {
      expect(parseCacheStatus(header)).toEqual({ cache: 'unknown', freshSeconds: null, staleBecause: null });
    },
  );
});
