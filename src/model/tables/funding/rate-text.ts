import type { FundingYearRank } from '#contract/desk/funding.ts';
import { countOf, formatCount } from '../../format/count.ts';
import { formatMissing, formatPercent, NO_VALUE } from '../../format/number.ts';
import {
  type FundingSide,
  type IntervalProgress,
  isInverted,
  type RateForm,
  SIDE_LABELS,
  toIntervalProgress,
} from '../../funding/funding-rate.ts';
import { countLower, FEWEST_COMPARED, toPercentile, whyNoYearPercentile } from '../../funding/rate-distribution.ts';
import type { Source } from '../../response.ts';
import type { Fact } from '../../format/provenance.ts';
import { formatInAllZones } from '../../format/format-time.ts';
import type { Decimal } from '../../units/decimal.ts';
import { formatFundingCountdown } from '../cell-tooltip.ts';
import type { CompareRow } from './compare-row.ts';
import { toMinute } from './realised.ts';

/** Formats the percentile with one decimal, because one of a year’s 1,095 intervals is 0.09 %. */
export function formatYearPercentile(rank: FundingYearRank | null, side: FundingSide): string {
  return formatPercent(toPercentile(rank, side), { digits: 1 });
}

/** Explains how the percentile was computed, or why there is none. */
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
      value:
        `(${formatCount(countLower(rank, side))} ${isInverted(side) ? 'higher' : 'lower'} + ` +
        `${formatCount(rank.equal)} equal ÷ 2) ÷ ${countOf(rank.intervals, 'settled rate')} of the ` +
        '365 days to the latest, which is included',
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

/** Explains percentile and z-score of a window, or why there are none. */
export function explainStanding(
  { chosen: { window, measures }, standing: toStanding }: Pick<CompareRow, 'chosen' | 'standing'>,
  side: FundingSide,
  source: Source,
): readonly Fact[] {
  const standing = toStanding();
  if (standing === null)
    return [{ name: 'Missing', value: 'Settled rates do not cover the whole window, so it cannot be compared.' }];
  const { intervals, equal, from } = standing;
  return [
    {
      name: 'Compared with',
      value:
        `${countOf(intervals, 'window')} of ${window.label} that end${intervals === 1 ? 's' : ''} at a funding time ` +
        `from ${toMinute(from + window.to - window.from)} to ${toMinute(window.to)} UTC, this one included; they overlap`,
    },
    {
      name: 'Percentile',
      value:
        intervals < FEWEST_COMPARED
          ? `None: at least ${String(FEWEST_COMPARED)} windows are needed; choose a longer past`
          : `(${formatCount(countLower(standing, side))} ${isInverted(side) ? 'higher' : 'lower'} + ` +
            `${formatCount(equal)} equal ÷ 2) ÷ ${formatCount(intervals)}`,
    },
    { name: 'Z-score', value: '(mean − mean of all) ÷ their sample standard deviation (n − 1)' },
    {
      name: 'At interest rate',
      value: `${formatCount(measures.baseline)} of ${countOf(measures.prints, 'settled rate')}`,
    },
    { name: 'Sign', value: SIDE_LABELS[side] },
    { name: 'Field', value: 'prints.funding_rate', code: true },
    ...toOriginFacts(source),
  ];
}

/** The meaning of the sign, for a column of a file. */
export const SIGNS: Readonly<Record<FundingSide, string>> = {
  market: 'positive: longs pay shorts',
  long: 'positive: a long position receives',
  short: 'positive: a short position receives',
};

/** Returns the side for a file name, before another part of it; empty for the market’s own sign. */
export function nameSide(side: FundingSide): string {
  return side === 'market' ? '' : `${side}-`;
}

/** Formats an axis value. Axes are floats, and a value that rounds to zero has no sign. */
export function formatAxis(value: number, digits: number): string {
  const text = Math.abs(value).toFixed(digits);
  return value < 0 && Number(text) !== 0 ? `−${text}` : text;
}

/** Formats a figure computed from index or mark, which is withheld if they are not above zero. */
export function orNotAvailable(value: Decimal | null, format: (value: Decimal) => string): string {
  return value === null ? 'n/a' : format(value);
}

/** Explains the origin of a figure that was computed from many rows of one response. */
export function toOriginFacts({ target, receivedAt }: Source): readonly Fact[] {
  return [
    { name: 'Endpoint', value: `GET ${target}`, code: true },
    { name: 'Received', value: formatInAllZones(receivedAt) },
  ];
}

/**
 * Headers of figures in the chosen rate unit: of one settled rate, of one predicted rate and of the mean of many, with
 * their unit.
 */
export const FORM_HEADERS: Readonly<
  Record<RateForm, { readonly one: string; readonly predicted: string; readonly mean: string; readonly unit: string }>
> = {
  interval: { one: 'Per 8 h', predicted: 'Predicted per 8 h', mean: 'mean', unit: '% per 8 h' },
  day: { one: 'Daily rate', predicted: 'Predicted daily rate', mean: 'mean', unit: '% per day' },
  apr: { one: 'APR', predicted: 'Predicted APR', mean: 'APR', unit: '%, simple' },
  apy: { one: 'APY', predicted: 'Predicted APY', mean: 'APY', unit: '%, compounded' },
};

type IntervalRow = Pick<CompareRow, 'interval' | 'estimate'>;

/** Explains “weight so far”. */
export const WEIGHT_SO_FAR =
  'Sample i of 1,920 has weight i: the first half of the interval carries 25 % of the weight of the settled rate.';

/** Returns `9.4 % · 0.8 %`: the elapsed share of the interval, and the weight of its samples so far. */
export function toElapsedText(row: IntervalRow, venueNow: number): string {
  const progress = toProgress(row, venueNow);
  if (progress?.isAhead === true) return NO_VALUE;
  if (progress === null || progress.isOver) return formatMissing(isPending(row));
  return `${formatShare(progress.elapsed)} · ${formatShare(progress.weight)}`;
}

/** Returns `9.4 %`. It is truncated, so that 100 % appears only at the end. */
export function formatShare(share: number): string {
  return `${(Math.floor(share * 1_000) / 10).toFixed(1)} %`;
}

export function toCountdownText(row: IntervalRow, venueNow: number): string {
  return formatFundingCountdown(toProgress(row, venueNow), isPending(row));
}

function toProgress({ interval }: IntervalRow, venueNow: number): IntervalProgress | null {
  return interval && toIntervalProgress(interval, venueNow);
}

/** Whether the interval may still become known: without a settled rate, the predicted rate names it. */
function isPending({ estimate }: IntervalRow): boolean {
  return estimate === null;
}
