import type { FundingYearRank } from '#contract/desk/funding.ts';
import { countOf, formatCount } from '../../format/count.ts';
import { formatPercent } from '../../format/number.ts';
import { type FundingSide, isInverted, SIDE_LABELS } from '../../funding/funding-side.ts';
import { countLower, toYearPercentile, whyNoYearPercentile } from '../../funding/year-percentile.ts';
import type { Source } from '../../source.ts';
import type { Fact } from '../../format/fact.ts';
import { formatInAllZones } from '../../format/format-time.ts';
import { toOriginFacts } from './origin-facts.ts';

/** With one decimal: of a year's 1,095 intervals, one is 0.09 %. */
export function formatYearPercentile(rank: FundingYearRank | null, side: FundingSide): string {
  return formatPercent(toYearPercentile(rank, side), { digits: 1 });
}

/** How the percentile was computed, or why there is none. */
export function explainYearPercentile(
  rank: FundingYearRank | null,
  side: FundingSide,
  source: Source,
): readonly Fact[] {
  const reason = whyNoYearPercentile(rank);
  if (rank === null || reason !== null) return [{ name: 'Missing', value: reason ?? '' }];
  return [
    {
      name: 'Computed',
      value: `(${formatCount(countLower(rank, side))} ${isInverted(side) ? 'higher' : 'lower'} + ${formatCount(rank.equal)} equal ÷ 2) ÷ ${countOf(rank.intervals, 'settled rate')} of the 365 days to the latest, which is included`,
    },
    {
      name: 'Sign',
      value: isInverted(side)
        ? `${SIDE_LABELS[side]}: the higher a published rate, the lower it ranks`
        : SIDE_LABELS[side],
    },
    { name: 'Latest settled', value: formatInAllZones(rank.interval_end) },
    { name: 'Field', value: 'perpetuals.year_rank', code: true },
    ...toOriginFacts(source),
  ];
}
