import type { PriceDataPoint } from '#contract/exchange/market-data.ts';
import { withhold } from '#contract/exchange/row-notes.ts';
import type { DeskProduct } from '#contract/desk/desk.ts';

const PRICES = ['ohlc.open', 'ohlc.high', 'ohlc.low', 'ohlc.close', 'settlementPrice'] as const;

/** Why all prices or all volumes of a chart are withheld, or null. */
export interface ChartDoubts {
  readonly price: string | null;
  readonly volume: string | null;
}

/**
 * Withholds all prices or volumes of a chart that the checks doubt: if a check fails for one session, none can be relied
 * on. Returns the same list if there is no doubt.
 */
export function withholdDoubtful(
  points: readonly PriceDataPoint[],
  { price, volume }: ChartDoubts,
): readonly PriceDataPoint[] {
  if (price === null && volume === null) return points;
  return points.map((point) => {
    const priced = price === null ? point : withholdAll(point, PRICES, price);
    return volume === null ? priced : withholdAll(priced, ['ohlc.volume'], volume);
  });
}

function withholdAll(point: PriceDataPoint, paths: readonly string[], reason: string): PriceDataPoint {
  return paths
    .filter((path) => valueAt(point, path) !== null)
    .reduce((kept, path) => withhold(kept, path, reason) as PriceDataPoint, point);
}

function valueAt({ settlementPrice, ohlc }: PriceDataPoint, path: string): unknown {
  return path === 'settlementPrice'
    ? settlementPrice
    : (ohlc as Readonly<Record<string, unknown>>)[path.slice('ohlc.'.length)];
}

/** Product types whose price cannot be negative. A spread's can. */
const NEVER_NEGATIVE: ReadonlySet<string | undefined> = new Set(['future', 'perpetual', 'option', 'spot']);

/** Withholds prices that a product cannot have. Returns the same list if there are none. */
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
  const { open, high, low, close } = point.ohlc;
  // A chart has thousands of sessions, and nearly all are settled by this.
  if (![open, high, low, close, point.settlementPrice].some((price) => price?.startsWith('-'))) return point;
  return PRICES.filter((path) => Number(valueAt(point, path)) < 0).reduce(
    (kept, path) => withhold(kept, path, reason) as PriceDataPoint,
    point,
  );
}

/** An option may settle at zero. The candle of a session without trades may consist of zeros. */
function withoutZeroSettlement(point: PriceDataPoint, reason: string | null): PriceDataPoint {
  const { settlementPrice: price } = point;
  return reason === null || price === null || Number(price) !== 0
    ? point
    : (withhold(point, 'settlementPrice', reason) as PriceDataPoint);
}
