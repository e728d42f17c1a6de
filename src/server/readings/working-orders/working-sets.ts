import { createSingleFlight } from '#server/proxy/cache/single-flight.ts';
import { setBounded } from '#server/core/bounded-map.ts';
import type { RateLimiterState, ReadOptions } from '#server/core/ports.ts';
import { createSubQuota } from '#server/proxy/budget/sub-quota.ts';
import { isProblemOf } from '#server/core/venue-failure.ts';
import { createPartCache, type Clocks, type PartCache } from './part-cache.ts';
import type { Filter } from './part.ts';
import { readWhole, type PartReader, type Split } from './read-in-parts.ts';

export interface WorkingSetsParts extends Clocks {
  readonly limit: RateLimiterState['limit'];
  readonly readerFor: (options: ReadOptions) => PartReader;
}

/** Reads working sets. One that is too large for a single response is split once for all clients, within a share of the budget. */
export interface WorkingSets {
  readonly read: (filter: Filter, options: ReadOptions) => Promise<Split>;
}

/** A screen uses one filter, or a few. */
const MAX_CACHES = 4;
/** The filter of the set that everybody shares, and the journal keeps: no others take its place, or what it may read. */
const WHOLE = '{}';

export function createWorkingSets({ limit, readerFor, ...clocks }: WorkingSetsParts): WorkingSets {
  const quotas = { ofWhole: createSubQuota(limit, clocks.elapsed), ofOthers: createSubQuota(limit, clocks.elapsed) };
  const flights = createSingleFlight<Split>();
  const caches = new Map<string, PartCache>();
  const wholeCaches = new Map<string, PartCache>();
  const cachesFor = (key: string): Map<string, PartCache> => (key === WHOLE ? wholeCaches : caches);

  const openCache = (key: string): PartCache => {
    const cache = cachesFor(key).get(key) ?? createPartCache(key === WHOLE ? quotas.ofWhole : quotas.ofOthers, clocks);
    setBounded(cachesFor(key), key, cache, MAX_CACHES);
    return cache;
  };

  const readSplit = async (key: string, filter: Filter, { purpose, payers, signal }: ReadOptions): Promise<Split> => {
    // Hundreds of reads must not use the reserve, which is for interactive reads.
    const reader = readerFor({ purpose: purpose === 'prefetch' ? purpose : 'working', payers, signal });
    const split = await openCache(key).read(reader, filter);
    const isWhole = split.parts.some((part) => part.filter === filter);
    if (isWhole) cachesFor(key).delete(key);
    return split;
  };

  return {
    read: async (filter, options) => {
      const key = JSON.stringify(filter);
      try {
        if (!cachesFor(key).has(key)) return await readWhole(readerFor(options), filter);
      } catch (error) {
        if (!isProblemOf(error, 'too-many-working-orders')) throw error;
      }
      const flight =
        flights.find(key) ??
        flights.start(key, options, (dropped) => readSplit(key, filter, { ...options, signal: dropped }));
      return flight.join(options.signal);
    },
  };
}
