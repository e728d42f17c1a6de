import type { CacheOutcome } from '#model/source.ts';

/** The gateway's `Cache-Status` header (RFC 9211). */
export interface CacheStatus {
  readonly cache: CacheOutcome;
  /** Seconds for which the gateway will serve the same response again; negative if stale. */
  readonly freshSeconds: number | null;
  /** Type of the problem that made the gateway serve a stale response. */
  readonly staleBecause: string | null;
}

const UNKNOWN: CacheStatus = { cache: 'unknown', freshSeconds: null, staleBecause: null };

/** Reads the gateway's entry: that of the cache nearest to the browser comes last. */
export function parseCacheStatus(header: string | null): CacheStatus {
  const entry = header?.split(',').at(-1)?.trim() ?? '';
  const [name, ...rest] = entry.split(';').map((part) => part.trim());
  if (name !== 'perpdesk') return UNKNOWN;
  const parameters = new Map(rest.map(toParameter));
  const ttl = Number(parameters.get('ttl') ?? Number.NaN);
  const freshSeconds = Number.isFinite(ttl) ? ttl : null;
  const cache = toOutcome(parameters, freshSeconds);
  return { cache, freshSeconds, staleBecause: cache === 'stale' ? (parameters.get('detail') ?? 'stale') : null };
}

function toParameter(part: string): readonly [string, string] {
  const at = part.indexOf('=');
  return at < 0 ? [part, ''] : [part.slice(0, at), part.slice(at + 1).replace(/^"|"$/g, '')];
}

function toOutcome(parameters: ReadonlyMap<string, string>, freshSeconds: number | null): CacheOutcome {
  const detail = parameters.get('detail');
  if (!parameters.has('hit')) return parameters.has('collapsed') ? 'coalesced' : 'miss';
  if (detail === 'disk') return 'disk-hit';
  return detail !== undefined || (freshSeconds ?? 0) < 0 ? 'stale' : 'hit';
}
