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
  { paths: ['notionalVolume'], expected: 'a value of contracts, and none without', findConflict: findLoneValue },
);
export type ProductTrailingStats = Static<typeof ProductTrailingStats>;

/** Both are null without trades, so neither is null alone. */
function findLoneValue({ volume, notionalVolume: value }: Readonly<Record<string, unknown>>): string | null {
  if (typeof volume === 'number' && volume > 0 && value === null) return `null for ${String(volume)} contracts`;
  return volume === null && typeof value === 'number' && value !== 0 ? `number ${String(value)} for null` : null;
}
