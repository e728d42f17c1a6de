import { contracts, productId, usd } from './fields.ts';
import { nullable, row, type Static } from './schema.ts';

/** Clause 2.6: a rolling window of 24 hours. USD here, unlike the chart's cents. Null: nothing traded. */
export const ProductTrailingStats = row('ProductTrailingStats', 'What a product traded in the last 24 hours.', {
  productId: productId('The product.'),
  volume: nullable(contracts('Contracts traded.')),
  notionalVolume: nullable(usd('Value traded, in USD (not cents).')),
});
export type ProductTrailingStats = Static<typeof ProductTrailingStats>;
