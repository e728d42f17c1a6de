import type { CacheOutcome } from '#domain/source.ts';

/** What the gateway's `Cache-Status` (RFC 9211) says of an answer. */
export interface CacheStatus {
  readonly cache: CacheOutcome;
  /** For how long the gateway will answer the same again; negative: it is old, because the venue failed. */
  readonly freshSeconds: number | null;
  /** Type of the problem that made the gateway answer with an old one. */
  readonly staleBecause: string | null;
}

const UNKNOWN: CacheStatus = { cache: 'unknown', freshSeconds: null, staleBecause: null };

/** Reads the header that the gateway writes; the entry of the cache nearest to the page comes last. */
export function parseCacheStatus(header: string | null): CacheStatus {
  const entry = header?.split(',').at(-1)?.trim() ?? '';
  const [name, ...rest] = entry.split(';').map((part) => part.trim());
  if (name !== 'perpdesk') return UNKNOWN;
  const parameters = new Map(rest.map(toParameter));
  const ttl = Number(parameters.get('ttl') ?? Number.NaN);
  const freshSeconds = Number.isFinite(ttl) ? ttl : null;
  const cache = toCacheUse(parameters, freshSeconds);
  return { cache, freshSeconds, staleBecause: cache === 'stale' ? (parameters.get('detail') ?? 'stale') : null };
}

function toParameter(part: string): readonly [string, string] {
  const at = part.indexOf('=');
  return at < 0 ? [part, ''] : [part.slice(0, at), part.slice(at + 1).replace(/^"|"$/g, '')];
}

function toCacheUse(parameters: ReadonlyMap<string, string>, freshSeconds: number | null): CacheOutcome {
  const detail = parameters.get('detail');
  if (!parameters.has('hit')) return parameters.has('collapsed') ? 'shared' : 'venue';
  if (detail === 'kept') return 'settled';
  return detail !== undefined || (freshSeconds ?? 0) < 0 ? 'stale' : 'memory';
}
