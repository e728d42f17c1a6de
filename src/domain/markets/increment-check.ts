import { wireText } from '#contract/wire-text.ts';
import type { DeskProduct } from '#contract/desk.ts';
import { toDecimal, type Decimal } from '../units/decimal.ts';
import { formatNumber } from '../format/number.ts';

/** Whether a product's published tick size turns ticks into the USD that the exchange itself publishes elsewhere. */
export interface IncrementCheck {
  /** `unchecked`: there is no price to compare with. `pending`: it has not been read yet. */
  readonly verdict: 'agrees' | 'off' | 'unchecked' | 'pending';
  /** Ticks × tick size relative to the exchange's USD price; 1 is a perfect match. */
  readonly ratio: Decimal | null;
  /** Why prices are not converted, if the check failed or is pending. */
  readonly reason: string | null;
}

/** A price in ticks, and the product's price in USD from a response that needs no tick size. */
export interface IncrementEvidence {
  readonly ticks: Decimal | null;
  /** Undefined: the response with it has not been read. */
  readonly usd: Decimal | null | undefined;
}

/** Tolerated factor: the prices may be hours apart, and spreads and options move by much more than others. */
const SWINGS: Readonly<Record<string, number>> = { spread: 10, option: 10 };
const USUAL_SWING = 2;

const UNCHECKED: IncrementCheck = { verdict: 'unchecked', ratio: null, reason: null };
const PENDING: IncrementCheck = {
  verdict: 'pending',
  ratio: null,
  reason: 'The tick size is unchecked, because the exchange’s own USD price has not been read, so prices in ticks are not converted.',
};

/** Compares ticks × tick size with USD. Checks the magnitude only: the factor between the prices must be a move of a day. */
export function checkIncrement(product: DeskProduct, { ticks, usd }: IncrementEvidence): IncrementCheck {
  const increment = wireText(product, 'price_increment');
  if (increment === undefined || ticks === null || ticks.isZero()) return UNCHECKED;
  if (usd === undefined) return PENDING;
  if (usd === null || usd.isZero()) return UNCHECKED;
  // A spread's price may be negative, a notional is not.
  const ratio = ticks.times(toDecimal(increment)).div(usd).abs();
  const swing = SWINGS[product.type ?? ''] ?? USUAL_SWING;
  if (ratio.lte(swing) && ratio.times(swing).gte(1)) return { verdict: 'agrees', ratio, reason: null };
  return { verdict: 'off', ratio, reason: explain(increment, ratio) };
}

/** The result of the check, as a label's value. */
export function describeCheck({ verdict, ratio }: IncrementCheck): string {
  const times = ratio?.toSignificantDigits(4).toFixed() ?? '';
  switch (verdict) {
    case 'agrees':
      return `passed, by order of magnitude only: ticks × tick size is ${times} times the exchange’s own USD price`;
    case 'off':
      return `failed: ticks × tick size is ${times} times the exchange’s own USD price`;
    case 'unchecked':
      return 'not possible: there is no price to compare with';
    case 'pending':
      return 'not done yet: the exchange’s own USD price has not been read';
  }
}

function explain(increment: string, ratio: Decimal): string {
  const times = ratio.gte(1) ? `about ${round(ratio)} times` : `about 1/${round(ratio.pow(-1))} of`;
  return `The published tick size, ${toDecimal(increment).toFixed()} USD, gives ${times} the exchange’s own USD price, so prices in ticks are not converted.`;
}

/** Screens compare with prices of different hours; more digits would make their messages differ. */
function round(ratio: Decimal): string {
  return formatNumber(ratio.toSignificantDigits(ratio.lt(10) ? 2 : 1));
}
