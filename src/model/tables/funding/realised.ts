import { asRate } from '../../units/conversions.ts';
import { toDecimal, type Decimal } from '../../units/decimal.ts';
import type { FundingInterval } from '../../funding/funding-rate.ts';
import type { FundingSeries } from '../../funding/funding-series.ts';
import { findAfter, type FundingWindow, type WindowMeasures } from '../../funding/funding-window.ts';
import { isInverted, toSide, type FundingSide } from '../../funding/funding-side.ts';
import { RATE_FORM_LABELS, toRateForm, type RateForm } from '../../funding/rate-form.ts';
import { deriveQuantity, toQuantity, type Quantity } from '../../units/quantity.ts';
import type { Source } from '../../source.ts';

/** What a window of settled rates amounts to. */
export interface RealisedFigures {
  readonly sum: Quantity;
  /** In the chosen rate basis. */
  readonly mean: Quantity;
  readonly deviation: Quantity;
  readonly positive: Quantity;
  readonly baseline: Quantity;
  /** Only its provenance: the streak itself is a count. */
  readonly run: Quantity;
}

interface Settled {
  readonly series: FundingSeries;
  readonly source: Source;
}

/** The provenance of each figure lists the latest settled rate of the window, on behalf of all of them. */
export function toRealised(
  { series, source }: Settled,
  window: FundingWindow,
  measures: WindowMeasures,
  form: RateForm,
  side: FundingSide,
): RealisedFigures {
  const last = series.prints[findAfter(series, window.to) - 1]?.row;
  const mean = measures.sum?.div(measures.prints) ?? null;
  const value =
    form === 'apr'
      ? measures.apr && toSide(measures.apr, side)
      : mean && last
        ? toRateForm(toSide(mean, side), form, last)
        : null;
  const basis = `${String(measures.prints)} of ${String(measures.intervals)} settled rates after ${toMinute(window.from)} and up to ${toMinute(window.to)} UTC`;
  const from =
    last === undefined
      ? []
      : [toQuantity({ source, dataTime: last.interval_end, prefix: 'prints.' }, last, 'funding_rate', asRate)];
  const derive = (how: string, result: Decimal | null): Quantity => ({
    value: result,
    unit: 'fraction',
    withheld: null,
    provenance: { kind: 'derived', how: `${how}. The latest of them:`, from },
  });
  const share = (what: string, count: number): Quantity =>
    derive(
      `${String(count)} ${what}, of ${basis}`,
      measures.prints === 0 ? null : toDecimal(String(count)).div(measures.prints),
    );
  return {
    sum: bySide(derive(`Exact sum of ${basis}`, measures.sum), side),
    mean: derive(`Mean of ${basis}${isInverted(side) ? `; ${INVERTED}` : ''}; ${howForm(form)}`, value),
    deviation: derive(`Sample standard deviation of ${basis}`, measures.standardDeviation),
    positive: share('positive', measures.positive),
    baseline: share('equal to the interest rate', measures.baseline),
    run: derive(`Longest streak with the same sign and no interval missing, of ${basis}`, null),
  };
}

export function toMinute(time: number): string {
  return new Date(time).toISOString().slice(0, 16).replace('T', ' ');
}

const HOW: Readonly<Record<RateForm, string>> = {
  interval: 'as settled',
  day: 'rate × 3',
  apr: 'rate × 3 × 365',
  apy: '(1 + rate) to the power of 1,095, minus 1',
};

function howForm(form: RateForm): string {
  return `${RATE_FORM_LABELS[form].name}: ${HOW[form]}`;
}

/** A rate in a basis, with the sign that a side sees. The sign comes first: what is paid compounds to less than what is received. */
export function inForm(
  rate: Quantity,
  { form, side, interval }: { readonly form: RateForm; readonly side: FundingSide; readonly interval: FundingInterval },
): Quantity {
  return deriveQuantity('fraction', howForm(form), [bySide(rate, side)], ([value]) =>
    value ? toRateForm(value, form, interval) : null,
  );
}

const INVERTED = 'sign inverted, as seen from a long position';

/** A rate with the sign that a side sees. */
export function bySide(quantity: Quantity, side: FundingSide): Quantity {
  if (!isInverted(side)) return quantity;
  return deriveQuantity(quantity.unit, `S${INVERTED.slice(1)}`, [quantity], ([value]) =>
    value ? toSide(value, side) : null,
  );
}
