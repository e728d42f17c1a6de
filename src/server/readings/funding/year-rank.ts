import type { FundingYearRank } from '#contract/desk/funding.ts';
import { type EpochNanos, formatInstant, parseInstant } from '#contract/exchange/instant.ts';
import type { ReadPlan } from '#sql/driver.ts';
import type { FundingReads, StoredPrint } from './funding-reads.ts';

type YearRank = { readonly [Field in keyof FundingYearRank]: string | number };

const YEAR_NANOS = 365n * 86_400n * 1_000_000_000n;
/** More than a year has, so that duplicates are counted too. */
const MOST_PRINTS = 10_000;

/** Ranks the newest settled rate within its year, again only when `reads` has changed, as prints may have then; null where none has settled. */
export type YearRanks = (prints: FundingReads['prints'], productId: number, reads: number) => ReadPlan<YearRank | null>;

export function createYearRanks(): YearRanks {
  const ranked = new Map<number, { readonly reads: number; readonly rank: YearRank | null }>();
  return function* (prints, productId, reads) {
    const before = ranked.get(productId);
    if (before?.reads === reads) return before.rank;
    const rank = yield* rankNewest(prints, productId);
    ranked.set(productId, { reads, rank });
    return rank;
  };
}

function* rankNewest(prints: FundingReads['prints'], productId: number): ReadPlan<YearRank | null> {
  const [newest] = yield* prints(productId, { from: '', after: null, limit: 1 });
  const end = newest === undefined ? null : parseInstant(newest.endAt);
  if (newest === undefined || end === null) return null;
  // An interval that ended exactly a year before belongs to the year before.
  const from = formatInstant((end - YEAR_NANOS + 1n) as EpochNanos);
  const rates = toRates(yield* prints(productId, { from, after: null, limit: MOST_PRINTS }));
  const rate = rates.get(newest.endAt);
  if (rate === undefined || rate === null) return null;
  const settled = [...rates.values()].filter((each) => each !== null);
  return {
    interval_end: newest.endAt,
    intervals: settled.length,
    below: settled.filter((each) => each < rate).length,
    equal: settled.filter((each) => each === rate).length,
  };
}

/** The rate of each interval; null where prints contradict each other or cannot be read. */
function toRates(prints: readonly StoredPrint[]): ReadonlyMap<string, number | null> {
  const rates = new Map<string, number | null>();
  for (const { endAt, text } of prints) {
    const rate = readRate(text);
    const known = rates.get(endAt);
    rates.set(endAt, known === undefined || known === rate ? rate : null);
  }
  return rates;
}

/** As a float, which keeps the order of rates. */
function readRate(text: string): number | null {
  const row = JSON.parse(text) as unknown;
  const rate: unknown = typeof row === 'object' && row !== null && 'funding_rate' in row ? row.funding_rate : null;
  return typeof rate === 'number' && Number.isFinite(rate) ? rate : null;
}
