import { contracts, day, instant, usdText } from './fields.ts';
import { row, type Static } from './schema.ts';

/** Clause 2.1: one trading day of a product. Prices are US dollars already: no increment is applied to them. */
export const PriceDataPoint = row('PriceDataPoint', 'One trading day of a product, prices in USD.', {
  date: day('The session’s date.'),
  time: instant('When the session settled.'),
  ohlc: row('Ohlc', 'The session’s prices and volume.', {
    open: usdText('First trade.'),
    high: usdText('Highest trade.'),
    low: usdText('Lowest trade.'),
    close: usdText('Last trade.'),
    volume: contracts('Contracts traded.'),
  }),
  settlementPrice: usdText('The price the session settled at.'),
});
export type PriceDataPoint = Static<typeof PriceDataPoint>;
