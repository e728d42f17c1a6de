import type { Served } from '#server/core/ports.ts';

export function formatAge(answeredAt: number, now: number): string {
  return String(Math.max(0, Math.floor((now - answeredAt) / 1_000)));
}

/** RFC 9211: `perpdesk; hit; ttl=12`. A negative ttl marks a stale response, and the detail says why it was served. */
export function formatCacheStatus({
  outcome,
  freshSeconds,
  staleBecause,
}: Pick<Served, 'outcome' | 'freshSeconds' | 'staleBecause'>): string {
  const ttl = `ttl=${String(Math.floor(freshSeconds))}`;
  switch (outcome) {
    case 'hit':
      return `perpdesk; hit; ${ttl}`;
    case 'disk-hit':
      return 'perpdesk; hit; detail=disk';
    case 'coalesced':
      return `perpdesk; fwd=miss; collapsed; ${ttl}`;
    case 'miss':
      return `perpdesk; fwd=miss; stored; ${ttl}`;
    case 'stale':
      return `perpdesk; hit; ${ttl}; detail=${staleBecause?.type ?? 'stale'}`;
  }
}
