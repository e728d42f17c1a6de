import { INTERVALS_PER_DAY, toApr, toApy, type FundingInterval } from '../funding-rate.ts';
import type { Decimal } from '../decimal.ts';
import { toIntervalTimes } from './interval-times.ts';

/** In which a rate per interval is told. */
export const RATE_FORMS = ['interval', 'day', 'apr', 'apy'] as const;
export type RateForm = (typeof RATE_FORMS)[number];

interface RateFormLook {
  /** For a choice of forms. */
  readonly name: string;
  /** For the header of a column, an axis, a file. */
  readonly unit: string;
  /** Digits of a percent. */
  readonly digits: number;
}

export const RATE_FORM_LOOKS: Readonly<Record<RateForm, RateFormLook>> = {
  interval: { name: 'per 8 h', unit: '% per 8 h', digits: 4 },
  day: { name: 'per day', unit: '% per day', digits: 4 },
  apr: { name: 'APR, simple', unit: '% APR, simple', digits: 2 },
  apy: { name: 'APY', unit: '% APY, compounded', digits: 2 },
};

/** A rate in a form. Null for an interval that is not eight hours by its own times: only as it is can it be told then. */
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
