import { isUsdText, type UsdText } from './amounts.ts';
import { contracts, day, instant, usdText } from './fields.ts';
import { agreeing, row, withholdable, type Static } from './schema.ts';

/** Clause 2.1: one session of a product. Prices are in US dollars: no increment applies to them. */
export const PriceDataPoint = agreeing(
  row('PriceDataPoint', 'One session of a product. Prices are in USD.', {
    date: day('Date of the session.'),
    time: instant('When the session settled.'),
    ohlc: row('Ohlc', 'Prices and volume of the session.', {
      open: withholdable(usdText('Price of the first trade.')),
      high: withholdable(usdText('Highest price traded.')),
      low: withholdable(usdText('Lowest price traded.')),
      close: withholdable(usdText('Price of the last trade.')),
      volume: contracts('Contracts traded.'),
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
  // Rounding to floats may make two prices equal, but never reverses their order.
  const isWithin = (price: string): boolean => Number(low) <= Number(price) && Number(price) <= Number(high);
  return isWithin(open) && isWithin(close) ? null : `open ${open}, high ${high}, low ${low}, close ${close}`;
}

function isPrice(value: unknown): value is UsdText {
  return typeof value === 'string' && isUsdText(value);
}
