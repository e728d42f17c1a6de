import { formatCount } from '../../format/count.ts';
import type { ApiResponse } from '../../response.ts';
import type { DeskFunding } from '#contract/desk/funding.ts';
import type { Json } from '../../evidence/evidence.ts';
import {
  type FundingSide,
  isInverted,
  RATE_FORM_LABELS,
  type RateForm,
  SIDE_LABELS,
} from '../../funding/funding-rate.ts';
import type { RankedRow } from './compare-row.ts';

/** States whether every interval of the window has its rate, and which ones are missing. */
export function toCompareProof(
  { value, setAside, target, staleBecause }: ApiResponse<DeskFunding>,
  rows: readonly RankedRow[],
  failures: readonly string[],
): Json {
  const lacking = rows.flatMap((row) => whyIncomplete(row));
  return {
    complete: lacking.length === 0 && setAside.length === 0 && rows.length === value.perpetuals.length,
    why_not: lacking,
    rows: rows.length,
    perpetuals: value.perpetuals.length,
    failed_validation: setAside.length,
    predicted_rates_not_read: failures,
    stale_because: staleBecause,
    answer: `GET ${target}`,
    coverage: rows.map(({ symbol, row, chosen: { window, measures } }) => ({
      perpetual: symbol,
      from: new Date(window.from).toISOString(),
      to: new Date(window.to).toISOString(),
      settled_rates: measures.prints,
      intervals: measures.intervals,
      not_listed: measures.notListed,
      not_read: measures.notRead,
      not_settled: measures.notSettled,
      missing: measures.missing,
      known_from: row.known_from,
      known_to: row.known_to,
      read_at: row.read_at,
    })),
  };
}

function whyIncomplete({ symbol, row, series, chosen: { measures } }: RankedRow): readonly string[] {
  return [
    ...(measures.missing > 0 ? [`${symbol}: ${formatCount(measures.missing)} intervals have no valid rate.`] : []),
    ...(measures.notRead > 0 ? [`${symbol}: ${formatCount(measures.notRead)} intervals have not been read.`] : []),
    ...(series.faults.length > 0 ? [`${symbol}: ${formatCount(series.faults.length)} faults in its rates.`] : []),
    ...(row.left_out > 0 ? [`${symbol}: ${String(row.left_out)} rows were left out.`] : []),
    ...(row.stale_because === null ? [] : [`${symbol}: ${row.stale_because}`]),
  ];
}

/** Describes how rates in other units follow from the fractions. */
export function toCompareConversions(
  rows: readonly RankedRow[],
  { form, side }: { readonly form: RateForm; readonly side: FundingSide },
): readonly Json[] {
  return [
    {
      rule: 'Rates are as published, as a fraction for one interval of 8 h; no contract size is involved.',
      field: 'prints.funding_rate',
      shown_as: RATE_FORM_LABELS[form].unit,
    },
    {
      rule:
        'APR, simple = mean rate × 3 × 365. APY = (1 + mean rate) ^ 1095 − 1. Per day = rate × 3. ' +
        'None where an interval is not 8 h long.',
      field: 'prints.funding_rate',
    },
    {
      rule: `${SIDE_LABELS[side]}. ${isInverted(side) ? 'Published rates × −1.' : 'The sign is as published.'}`,
      field: 'prints.funding_rate',
    },
    {
      rule: 'Premium = mark_price ÷ price_index − 1, both in ticks: independent of the tick size.',
      field: 'prints.mark_price',
    },
    {
      rule: 'Open interest in contracts, as published.',
      field: 'openInterest',
      products: rows.map(({ productId }) => productId),
    },
  ];
}
