import type { RateForm } from '#domain/funding/rate-form.ts';

/** Headers of figures in the chosen rate unit: of one rate, of the mean of many, and their unit. */
export const FORM_HEADERS: Readonly<Record<RateForm, { readonly one: string; readonly mean: string; readonly unit: string }>> = {
  interval: { one: 'Per 8 h', mean: 'mean', unit: '% per 8 h' },
  day: { one: 'Daily rate', mean: 'mean', unit: '% per day' },
  apr: { one: 'APR', mean: 'APR', unit: '%, simple' },
  apy: { one: 'APY', mean: 'APY', unit: '%, compounded' },
};
