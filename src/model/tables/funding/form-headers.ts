import type { RateForm } from '../../funding/rate-form.ts';

/** Headers of figures in the chosen rate unit: of one settled or predicted rate, of the mean of many, and their unit. */
export const FORM_HEADERS: Readonly<
  Record<RateForm, { readonly one: string; readonly predicted: string; readonly mean: string; readonly unit: string }>
> = {
  interval: { one: 'Per 8 h', predicted: 'Predicted per 8 h', mean: 'mean', unit: '% per 8 h' },
  day: { one: 'Daily rate', predicted: 'Predicted daily rate', mean: 'mean', unit: '% per day' },
  apr: { one: 'APR', predicted: 'Predicted APR', mean: 'APR', unit: '%, simple' },
  apy: { one: 'APY', predicted: 'Predicted APY', mean: 'APY', unit: '%, compounded' },
};
