import type { MarketAnswers } from '#domain/market-rows.ts';
import type { PanelQuery, Stamp } from '#panels/panel-query.ts';
import { DAILY_REFRESH_SECONDS, LIVE_REFRESH_SECONDS, type MarketQuery, type MarketState } from './use-market-data.ts';

export interface MarketData extends Stamp {
  readonly answers: MarketAnswers;
  /** How often what tells the age is read again. */
  readonly everySeconds: number;
}

/** All parts as one: as old as what moves in it, and failed where any part failed that had been there before. */
export function toPanelQuery({ parts, answers }: MarketState, refetch: () => unknown): PanelQuery<MarketData> {
  const failed = parts.filter(({ query }) => query.error !== null);
  const blamed = answers === null ? failed.find(isFirst(parts)) : failed.find(({ query }) => query.data !== undefined);
  return {
    data: answers === null ? undefined : { ...toStamp(parts, answers), answers },
    error: blamed?.query.error ?? null,
    errorUpdatedAt: blamed?.query.errorUpdatedAt ?? 0,
    isFetching: parts.some(({ query }) => query.isFetching),
    refetch,
  };
}

function isFirst([first]: readonly MarketQuery[]): (part: MarketQuery) => boolean {
  return (part) => part === first;
}

/** What moves tells the age; where it is not there, what is of the day does, and is not old as soon. */
function toStamp(parts: readonly MarketQuery[], answers: MarketAnswers): Omit<MarketData, 'answers'> {
  const known = parts.flatMap(({ query }) => query.data ?? []);
  const [directory, ...rest] = known;
  const moving = known.find(({ endpoint }) => endpoint === (answers.trailing ?? answers.data)?.endpoint);
  const shown = moving ?? rest[0] ?? directory;
  const old = known.find(({ staleBecause }) => staleBecause !== null);
  const { receivedAt = 0, ageSeconds = null, freshSeconds = null, cache = 'unknown' } = shown ?? {};
  const everySeconds = moving === undefined ? DAILY_REFRESH_SECONDS : LIVE_REFRESH_SECONDS;
  return { everySeconds, receivedAt, ageSeconds, freshSeconds, cache: old ? 'stale' : cache, staleBecause: old?.staleBecause ?? null };
}

/** Parts that never came, with why; one that a venue need not offer is not missed where it does not. */
export function findMissing(parts: readonly MarketQuery[], isRefused: (error: Error) => boolean): readonly (MarketQuery & { readonly error: Error })[] {
  return parts.flatMap((part) => {
    const { data, error } = part.query;
    if (data !== undefined || error === null || (part.optional && isRefused(error))) return [];
    return [{ ...part, error }];
  });
}
