import { wireText } from '#contract/json-text.ts';
import type { DeskProduct } from '#contract/desk.ts';
import { byIncrement, type Conversion } from './conversions.ts';
import type { FractionalTicks, Ticks } from '#contract/amounts.ts';
import { toDecimal, type Decimal } from './decimal.ts';
import { formatNumber } from './format-number.ts';

/** Whether a product's published increment makes of ticks the USD that the venue itself tells elsewhere. */
export interface IncrementCheck {
  /** `unchecked`: there is nothing to hold it against. `unread`: there may be, and it is not known yet. */
  readonly verdict: 'agrees' | 'off' | 'unchecked' | 'unread';
  /** Ticks x increment over the venue's USD; 1 is perfect. */
  readonly ratio: Decimal | null;
  /** A sentence for people where it is off, or may be. */
  readonly reason: string | null;
}

/** A price in ticks, and the same product's price in USD from an answer that needs no increment. */
export interface IncrementEvidence {
  readonly ticks: Decimal | null;
  /** Undefined: the answer that would tell it has not been read. */
  readonly usd: Decimal | null | undefined;
}

/** Prices of different hours may differ; those of spreads and options by much more than others. */
const SWINGS: Readonly<Record<string, number>> = { spread: 10, option: 10 };
const USUAL_SWING = 2;

const UNCHECKED: IncrementCheck = { verdict: 'unchecked', ratio: null, reason: null };
const UNREAD: IncrementCheck = {
  verdict: 'unread',
  ratio: null,
  reason: 'The venue’s own price in USD, which the published increment is held against, has not been read, so prices in ticks are not converted.',
};

/** Holds ticks x increment against USD. It is a check of magnitude: no more than the move of a day passes. */
export function checkIncrement(product: DeskProduct, { ticks, usd }: IncrementEvidence): IncrementCheck {
  const increment = wireText(product, 'price_increment');
  if (increment === undefined || ticks === null || ticks.isZero()) return UNCHECKED;
  if (usd === undefined) return UNREAD;
  if (usd === null || usd.isZero()) return UNCHECKED;
  // A notional has no sign, a spread's price may have one.
  const ratio = ticks.times(toDecimal(increment)).div(usd).abs();
  const swing = SWINGS[product.type ?? ''] ?? USUAL_SWING;
  if (ratio.lte(swing) && ratio.times(swing).gte(1)) return { verdict: 'agrees', ratio, reason: null };
  return { verdict: 'off', ratio, reason: explain(increment, ratio) };
}

/** What the check found, after the word `check`. */
export function describeCheck({ verdict, ratio }: IncrementCheck): string {
  const times = ratio?.toSignificantDigits(4).toFixed() ?? '';
  switch (verdict) {
    case 'agrees':
      return `holds within tolerance: ticks × increment is ${times} of the venue’s own USD`;
    case 'off':
      return `does not hold: ${times} times the venue’s own USD`;
    case 'unchecked':
      return 'there is nothing to hold the increment against';
    case 'unread':
      return 'not done: the venue’s own price in USD has not been read';
  }
}

function explain(increment: string, ratio: Decimal): string {
  const times = ratio.gte(1) ? `about ${round(ratio)} times` : `about 1/${round(ratio.pow(-1))} of`;
  return `Ticks × ${toDecimal(increment).toFixed()} USD, the published increment, is ${times} the venue’s own price in USD, so prices in ticks are not converted.`;
}

/** Screens hold it against prices of different hours: more digits would make of one increment two. */
function round(ratio: Decimal): string {
  return formatNumber(ratio.toSignificantDigits(ratio.lt(10) ? 2 : 1));
}

/** The conversion of a product's ticks to USD, withheld where the check failed or could not be made; null without an increment. */
export function toCheckedConversion(product: DeskProduct, { reason }: IncrementCheck): Conversion<Ticks | FractionalTicks> | null {
  return byIncrement(product, reason);
}
