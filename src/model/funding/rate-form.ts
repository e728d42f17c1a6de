import { INTERVALS_PER_DAY, toApr, toApy, type FundingInterval } from './funding-rate.ts';
import type { Decimal } from '../units/decimal.ts';
import { toIntervalTimes } from './interval-times.ts';

/** The basis that rates are shown in. */
export const RATE_FORMS = ['interval', 'day', 'apr', 'apy'] as const;
export type RateForm = (typeof RATE_FORMS)[number];

export interface RateFormLabel {
  /** Name in a menu. */
  readonly name: string;
  /** Unit in a column header, an axis or a file. */
  readonly unit: string;
  /** Fraction digits of the percentage. */
  readonly digits: number;
}

export const RATE_FORM_LABELS: Readonly<Record<RateForm, RateFormLabel>> = {
  interval: { name: 'per 8 h', unit: '% per 8 h', digits: 4 },
  day: { name: 'per day', unit: '% per day', digits: 4 },
  apr: { name: 'APR, simple', unit: '% APR, simple', digits: 2 },
  apy: { name: 'APY', unit: '% APY, compounded', digits: 2 },
};

/** Converts a rate to a form. Null where the interval is not eight hours long, except for the rate itself. */
export function toRateForm(rate: Decimal, form: RateForm, interval: FundingInterval): Decimal | null {
  switch (form) {
    case 'interval':
      return rate;
    case 'day':
      return toIntervalTimes(interval)?.usual === true ? rate.times(INTERVALS_PER_DAY) : null;
    case 'apr':
      return toApr(rate, interval);
    case 'apy':
      return toApy(rate, interval);
  }
}
