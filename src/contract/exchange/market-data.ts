import {
  cents,
  contracts,
  day,
  fractionalTicks,
  instant,
  productId,
  ratePerInterval,
  text,
  usd,
  usdText,
} from './fields.ts';
import { agreeing, type Agreement, nullable, row, type Static, withholdable } from './schema.ts';
import { isUsdText, type UsdText } from './amounts.ts';

/** Clause 2.1: one session of a product. Prices are in US dollars: no increment applies. */
export const PriceDataPoint = agreeing(
  row('PriceDataPoint', 'One session of a product. Prices are in USD.', {
    date: day('Date of the session.'),
    time: instant('When the session settled.'),
    ohlc: row('Ohlc', 'Prices and volume of the session.', {
      open: withholdable(usdText('Price of the first trade.')),
      high: withholdable(usdText('Highest price traded.')),
      low: withholdable(usdText('Lowest price traded.')),
      close: withholdable(usdText('Price of the last trade.')),
      volume: withholdable(contracts('Contracts traded.')),
    }),
    settlementPrice: withholdable(usdText('Settlement price of the session.')),
  }),
  {
    paths: ['ohlc.open', 'ohlc.high', 'ohlc.low', 'ohlc.close'],
    expected: 'low ≤ open and close ≤ high',
    findConflict: findCandleConflict,
  },
);
export type PriceDataPoint = Static<typeof PriceDataPoint>;

function findCandleConflict({ ohlc }: Readonly<Record<string, unknown>>): string | null {
  const { open, high, low, close } = (ohlc ?? {}) as Readonly<Record<string, unknown>>;
  if (!isPrice(open) || !isPrice(high) || !isPrice(low) || !isPrice(close)) return null;
  // Rounding to floats may make two prices equal but never reverses their order.
  const isWithin = (price: string): boolean => Number(low) <= Number(price) && Number(price) <= Number(high);
  return isWithin(open) && isWithin(close) ? null : `open ${open}, high ${high}, low ${low}, close ${close}`;
}

function isPrice(value: unknown): value is UsdText {
  return typeof value === 'string' && isUsdText(value);
}

/** Requires zero contracts to have no value. */
function notionalOf(contracts: string, notional: string): Agreement {
  return {
    paths: [notional],
    expected: 'no value of 0 contracts',
    findConflict: ({ [contracts]: count, [notional]: value }) =>
      count === 0 && typeof value === 'number' && value !== 0 ? `number ${String(value)}` : null,
  };
}

/** Clause 2.2: volume and open interest of one day. Null means not available, which is not zero. */
export const VOIDataPoint = agreeing(
  row('VOIDataPoint', 'Volume and open interest of one day. Notional values are in US cents.', {
    date: day('Date of the session.'),
    productId: productId('Product id; in a total, the first product of the request.'),
    baseSymbol: text('Base symbol of the product.'),
    volume: nullable(contracts('Volume in contracts.')),
    notionalVolume: nullable(cents('Notional value traded, in US cents.')),
    openInterest: nullable(contracts('Open interest in contracts, published the following morning.')),
    notionalOpenInterest: nullable(cents('Notional value of the open interest, in US cents.')),
  }),
  notionalOf('volume', 'notionalVolume'),
  notionalOf('openInterest', 'notionalOpenInterest'),
);
export type VOIDataPoint = Static<typeof VOIDataPoint>;

/** Funding intervals are eight hours long and begin at 00:00, 08:00 and 16:00 UTC (clause 3). */
export const FUNDING_INTERVAL_HOURS = 8;

/** Clause 2.3: a settled interval. A positive rate means that longs pay shorts. Index and mark are in ticks. */
export const FundingRateData = row('FundingRateData', 'A settled funding interval of a perpetual.', {
  product_id: productId('Product id of the perpetual.'),
  price_index: fractionalTicks('Index price when the rate was calculated, in ticks.'),
  mark_price: fractionalTicks('Mark price when the rate was calculated, in ticks. Not a live price.'),
  interest_rate: ratePerInterval('Interest rate component of the funding rate, as a fraction per interval.'),
  funding_rate: ratePerInterval(
    'Settled funding rate as a fraction per interval: 0.0001 is 0.01 %, one basis point. Positive: longs pay shorts.',
  ),
  interval_start: instant('Start of the funding interval, inclusive.'),
  interval_end: instant('End of the funding interval, when the rate settled.'),
});
export type FundingRateData = Static<typeof FundingRateData>;

/** Clause 2.4: the interval in progress. The rate changes until `interval_end`. */
export const EstimatedFundingRateData = row(
  'EstimatedFundingRateData',
  'The current funding interval with its predicted rate.',
  {
    funding_rate: ratePerInterval(
      'Predicted funding rate as a fraction per interval: 0.0001 is 0.01 %, one basis point. Positive: ' +
        'longs pay shorts.',
    ),
    interval_start: instant('Start of the funding interval.'),
    interval_end: instant('End of the funding interval, when the rate settles.'),
  },
);
export type EstimatedFundingRateData = Static<typeof EstimatedFundingRateData>;

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

/** Finds a null beside a value: without trades both are null, so neither may be null alone. */
function findLoneValue({ volume, notionalVolume: value }: Readonly<Record<string, unknown>>): string | null {
  if (typeof volume === 'number' && volume > 0 && value === null) return `null for ${String(volume)} contracts`;
  return volume === null && typeof value === 'number' && value !== 0 ? `number ${String(value)} for null` : null;
}
