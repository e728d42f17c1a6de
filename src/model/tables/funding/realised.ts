import { formatCount } from '../../format/count.ts';
import type { Day, Instant } from '#contract/exchange/instant.ts';
import {
  type FundingInterval,
  type FundingSide,
  INTERVALS_PER_DAY,
  isInverted,
  RATE_FORM_LABELS,
  type RateForm,
  toRateForm,
  toSide,
} from '../../funding/funding-rate.ts';
import { addDays } from '../../time/session.ts';
import type { ChosenRange } from '../../time/date-range.ts';
import { findAfter, type FundingWindow, toWindow, type WindowMeasures } from '../../funding/funding-window.ts';
import { asRate, deriveQuantity, type Quantity, toQuantity } from '../../units/quantity.ts';
import { type Decimal, toDecimal } from '../../units/decimal.ts';
import type { FundingSeries } from '../../funding/funding-series.ts';
import type { Source } from '../../response.ts';

export const WINDOW_NAMES = ['24h', '7d', '30d', '90d', '1y'] as const;
/** These windows are always shown. A year of all perpetuals is read only if that window is chosen. */
const SHORT_NAMES = WINDOW_NAMES.filter((name) => name !== '1y');
type WindowName = (typeof WINDOW_NAMES)[number];

const DAYS: Readonly<Record<WindowName, number>> = { '24h': 1, '7d': 7, '30d': 30, '90d': 90, '1y': 365 };
const DAY_MS = 86_400_000;
/** The longest window that is always shown. */
const DEFAULT_DAYS = 90;

/** The pasts in which a window can be compared with others of its length. The first needs no further rates. */
export const PASTS = ['90d', '1y', 'all'] as const;
export type Past = (typeof PASTS)[number];
/** No exchange has had perpetuals for longer. */
const SINCE_LISTING_DAYS = 3_650;
const PAST_DAYS: Readonly<Record<Past, number>> = { '90d': DEFAULT_DAYS, '1y': 365, 'all': SINCE_LISTING_DAYS };

export const PAST_LABELS: Readonly<Record<Past, string>> = { '90d': '90 d', '1y': '1 y', 'all': 'since listing' };

/** Returns the past that ends with a window. */
export function toPast(past: Past, { to }: FundingWindow): FundingWindow {
  return toWindow(PAST_DAYS[past], to);
}

export interface NamedWindow extends FundingWindow {
  readonly id: WindowName | 'custom';
  /** The window’s name in headers: `7 d`. */
  readonly label: string;
}

/** Returns the named windows, which end at the newest funding time that any perpetual has settled or should have. */
export function toNamedWindows(endsAt: number): readonly NamedWindow[] {
  return SHORT_NAMES.map((name) => toNamedWindow(name, endsAt));
}

function toNamedWindow(id: WindowName, endsAt: number): NamedWindow {
  return { id, label: nameWindow(id), ...toWindow(DAYS[id], endsAt) };
}

/** Returns `7 d`. */
function nameWindow(id: WindowName): string {
  return id.replace(/[hdy]$/, ' $&');
}

/** Returns a named window, or a custom one of days in UTC, both inclusive. */
export function toChosenWindow(range: ChosenRange, endsAt: number): NamedWindow {
  if (!('from' in range)) return toNamedWindow(range.name as WindowName, endsAt);
  const to = range.to === null ? endsAt : Math.min(endsAt, toMidnight(addDays(range.to as Day, 1)));
  return { id: 'custom', label: 'Range', from: toMidnight(range.from as Day), to };
}

/** Returns the first day of the window on screen, from which a custom window starts. */
export function toFirstDay(range: ChosenRange, today: Day): Day {
  return 'name' in range ? addDays(today, -DAYS[range.name as WindowName]) : today;
}

/**
 * Returns a time far enough back for every window, the past and the heatmap. It is a midnight, so that the request stays the same
 * all day.
 */
export function toBeginTime(today: Day, range: ChosenRange, heatIntervals: number, past: Past): Instant {
  const chosen =
    'from' in range ? (toMidnight(today) - toMidnight(range.from as Day)) / DAY_MS : DAYS[range.name as WindowName];
  // One day more, since windows end at a funding time rather than midnight.
  const days = Math.max(PAST_DAYS[past], chosen, Math.ceil(heatIntervals / INTERVALS_PER_DAY)) + 1;
  return `${addDays(today, -days)}T00:00:00Z` as Instant;
}

function toMidnight(day: Day): number {
  return Date.parse(`${day}T00:00:00Z`);
}

/** The figures of the settled rates in a window. */
export interface RealisedFigures {
  readonly sum: Quantity;
  /** In the chosen rate unit. */
  readonly mean: Quantity;
  readonly deviation: Quantity;
  readonly positive: Quantity;
  readonly baseline: Quantity;
  /** Only its provenance is used: the streak itself is a count. */
  readonly run: Quantity;
}

interface Settled {
  readonly series: FundingSeries;
  readonly source: Source;
}

/**
 * Computes the figures of a window. The provenance of each names only the window’s latest settled rate, which stands
 * for all of them.
 */
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
  const basis =
    `${formatCount(measures.prints)} of ${formatCount(measures.intervals)} settled rates after ` +
    `${toMinute(window.from)} and up to ${toMinute(window.to)} UTC`;
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
      `${formatCount(count)} ${what}, of ${basis}`,
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

/**
 * Converts a rate to a unit, with the sign of the side. The sign is applied first, because what is paid compounds to
 * less than what is received.
 */
export function inForm(
  rate: Quantity,
  { form, side, interval }: { readonly form: RateForm; readonly side: FundingSide; readonly interval: FundingInterval },
): Quantity {
  return deriveQuantity('fraction', howForm(form), [bySide(rate, side)], ([value]) =>
    value ? toRateForm(value, form, interval) : null,
  );
}

const INVERTED = 'sign inverted, as seen from a long position';

/** Returns a rate with the sign of the side. */
export function bySide(quantity: Quantity, side: FundingSide): Quantity {
  if (!isInverted(side)) return quantity;
  return deriveQuantity(quantity.unit, `S${INVERTED.slice(1)}`, [quantity], ([value]) =>
    value ? toSide(value, side) : null,
  );
}
