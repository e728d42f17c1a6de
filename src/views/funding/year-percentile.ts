import type { FundingYearRank } from '#contract/desk-funding.ts';
import { countOf, formatCount } from '#domain/format/count.ts';
import { formatPercent } from '#domain/format/number.ts';
import { toYearPercentile, whyNoYearPercentile } from '#domain/funding/year-percentile.ts';
import type { Source } from '#domain/source.ts';
import type { Fact } from '#ui/fact-list.tsx';
import { formatInAllZones } from '#ui/time/format-time.ts';
import { toOriginFacts } from './origin-facts.ts';

/** Without decimals: of a year's 1,095 intervals, one is 0.09 %. */
export function formatYearPercentile(rank: FundingYearRank | null): string {
  return formatPercent(toYearPercentile(rank), { digits: 0 });
}

/** How the percentile was computed, or why there is none. */
export function explainYearPercentile(rank: FundingYearRank | null, source: Source): readonly Fact[] {
  const reason = whyNoYearPercentile(rank);
  if (rank === null || reason !== null) return [{ name: 'Missing', value: reason ?? '' }];
  return [
    { name: 'Computed', value: `(${formatCount(rank.below)} lower + ${formatCount(rank.equal)} equal ÷ 2) ÷ ${countOf(rank.intervals, 'settled rate')} of the 365 days to the latest, which is included` },
    { name: 'Sign', value: 'As published, whatever the sign convention chosen' },
    { name: 'Latest settled', value: formatInAllZones(rank.interval_end) },
    { name: 'Field', value: 'perpetuals.year_rank', code: true },
    ...toOriginFacts(source),
  ];
}
