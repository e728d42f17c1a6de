import { contracts, productId, usd } from './fields.ts';
import { notionalOf } from './notional-agreement.ts';
import { agreeing, nullable, row, type Static } from './schema.ts';

/** Clause 2.6: a rolling window of 24 hours. In USD, unlike the chart's cents. Null: nothing traded. */
export const ProductTrailingStats = agreeing(
  row('ProductTrailingStats', 'Trailing statistics: trading of a product in the last 24 hours.', {
    productId: productId('Product id.'),
    volume: nullable(contracts('Volume in contracts. Null without trades.')),
    notionalVolume: nullable(usd('Notional value traded, in USD (not cents). Null without trades.')),
  }),
  notionalOf('volume', 'notionalVolume'),
);
export type ProductTrailingStats = Static<typeof ProductTrailingStats>;
