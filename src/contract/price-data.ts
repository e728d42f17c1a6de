import { contracts, day, instant, usdText } from './fields.ts';
import { row, type Static } from './schema.ts';

/** Clause 2.1: one session of a product. Prices are in US dollars: no increment applies to them. */
export const PriceDataPoint = row('PriceDataPoint', 'One session of a product. Prices are in USD.', {
  date: day('Date of the session.'),
  time: instant('When the session settled.'),
  ohlc: row('Ohlc', 'Prices and volume of the session.', {
    open: usdText('Price of the first trade.'),
    high: usdText('Highest price traded.'),
    low: usdText('Lowest price traded.'),
    close: usdText('Price of the last trade.'),
    volume: contracts('Contracts traded.'),
  }),
  settlementPrice: usdText('Settlement price of the session.'),
});
export type PriceDataPoint = Static<typeof PriceDataPoint>;
