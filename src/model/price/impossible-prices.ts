import type { DeskProduct } from '#contract/desk/desk.ts';
import type { PriceDataPoint } from '#contract/exchange/price-data.ts';
import { withhold } from '#contract/exchange/withheld.ts';

/** The types of product whose price cannot be negative, unlike that of a spread. */
const NEVER_NEGATIVE: ReadonlySet<string | undefined> = new Set(['future', 'perpetual', 'option', 'spot']);

/** The sessions of a product without the prices that it cannot have; the same list where there are none. */
export function withholdImpossiblePrices(
  points: readonly PriceDataPoint[],
  product: Pick<DeskProduct, 'type'> | null,
): readonly PriceDataPoint[] {
  const { type } = product ?? {};
  if (!NEVER_NEGATIVE.has(type)) return points;
  const subject = `Impossible value: the price of ${type === 'option' ? 'an option' : `a ${String(type)}`} cannot be`;
  const checked = points.map((point) =>
    withoutZeroSettlement(
      withoutNegatives(point, `${subject} negative.`),
      type === 'option' ? null : `${subject} zero.`,
    ),
  );
  return checked.some((point, index) => point !== points[index]) ? checked : points;
}

function withoutNegatives(point: PriceDataPoint, reason: string): PriceDataPoint {
  const { ohlc, settlementPrice } = point;
  const prices = {
    'ohlc.open': ohlc.open,
    'ohlc.high': ohlc.high,
    'ohlc.low': ohlc.low,
    'ohlc.close': ohlc.close,
    settlementPrice,
  };
  const negative = Object.entries(prices).filter(([, price]) => Number(price) < 0);
  return negative.reduce((kept, [path]) => withhold(kept, path, reason) as PriceDataPoint, point);
}

/** An option may settle worthless. The candle of a session without trades may consist of zeros. */
function withoutZeroSettlement(point: PriceDataPoint, reason: string | null): PriceDataPoint {
  const { settlementPrice: price } = point;
  return reason === null || price === null || Number(price) !== 0
    ? point
    : (withhold(point, 'settlementPrice', reason) as PriceDataPoint);
}
