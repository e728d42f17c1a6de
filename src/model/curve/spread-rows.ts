import { toNumber } from '#contract/exchange/brand.ts';
import { wireText } from '#contract/exchange/row-notes.ts';
import type { DeskProduct } from '#contract/desk/desk.ts';
import { compareInstants, type Instant } from '#contract/exchange/instant.ts';
import type { MarketPrices } from '../markets/market-prices.ts';
import { formatNumber } from '../format/number.ts';
import { isActive } from '../products/is-active.ts';
import { nameProduct } from '../products/product-directory.ts';
import { compareCodes } from '../compare-codes.ts';
import { Decimal, toDecimal } from '../units/decimal.ts';
import { deriveQuantity, type Quantity } from '../units/quantity.ts';
import { formatSettledAt, minutesApart } from '../basis/basis.ts';

/** A leg of a spread. The weight is negative if buying the spread sells the leg. */
export interface SpreadLeg {
  readonly product: DeskProduct;
  readonly weight: Decimal;
}

/** How far a price of a spread is from what its legs make. */
interface SpreadGap {
  readonly usd: Quantity;
  /** In ticks of the spread. */
  readonly ticks: Quantity;
  /** Whether that is more than a tick. */
  readonly isApart: boolean;
}

/** A calendar spread against the difference of its legs. */
export interface SpreadRow {
  readonly product: DeskProduct;
  readonly legs: readonly SpreadLeg[];
  readonly settlement: Quantity | null;
  readonly settledAt: Instant | null;
  readonly last: Quantity | null;
  readonly lastAt: Instant | null;
  /** The sum of weight × settlement of each leg, in USD; null if it is refused. */
  readonly legsUsd: Quantity | null;
  readonly settlementGap: SpreadGap | null;
  /** Why the settlements are not compared, in a sentence, or null. */
  readonly missingBecause: string | null;
  readonly lastPrices: LastPrices;
}

/** The last price of a spread against those of its legs, which are of different times. */
interface LastPrices {
  /** The sum of weight × last price of each leg, in USD; null if one of them has none. */
  readonly legsUsd: Quantity | null;
  readonly gap: Omit<SpreadGap, 'isApart'> | null;
  /** The spread and its legs, each with the time of its last trade. */
  readonly trades: readonly { readonly name: string; readonly at: Instant | null }[];
  /** The oldest of these times; null unless all are known. */
  readonly oldestAt: Instant | null;
  /** How many minutes there are between the oldest and the newest. */
  readonly minutesApart: number | null;
  /** Why they are not compared, in a sentence, or null. */
  readonly missingBecause: string | null;
}

type Prices = Pick<MarketPrices, 'settlement' | 'settlementTime' | 'last' | 'lastTime' | 'missingBecause'>;

/** `14 Aug 2026, 21:00 UTC`, or that there is no such time. */
function describeTime({ settlementTime: at }: Prices): string {
  return at === null ? 'no known time' : formatSettledAt(at as Instant);
}

/** Lists the active calendar spreads of an underlying, whose legs are months or the perpetual, by their first expiry. */
export function toSpreadRows(
  underlying: string,
  products: readonly DeskProduct[],
  pricesOf: (product: DeskProduct) => Prices,
): readonly SpreadRow[] {
  const byId = new Map(products.map((product) => [toNumber(product.product_id), product]));
  return products
    .filter((product) => product.type === 'spread' && isActive(product))
    .flatMap((product) => {
      const legs = (product.legs ?? []).flatMap((leg): readonly SpreadLeg[] => {
        const found = byId.get(toNumber(leg.product_id));
        return found === undefined ? [] : [{ product: found, weight: toDecimal(wireText(leg, 'weight')) }];
      });
      const isOfUnderlying =
        legs.length === (product.legs ?? []).length &&
        legs.length > 1 &&
        legs.every(
          (leg) =>
            leg.product.contract_size_unit === underlying && ['future', 'perpetual'].includes(leg.product.type ?? ''),
        );
      return isOfUnderlying ? [toSpreadRow(product, legs, pricesOf)] : [];
    })
    .toSorted((a, b) => compareCodes(orderOf(a), orderOf(b)));
}

function orderOf({ product }: SpreadRow): string {
  return `${product.base_symbol ?? ''} ${product.final_settle_time ?? ''}`;
}

function toSpreadRow(
  product: DeskProduct,
  legs: readonly SpreadLeg[],
  pricesOf: (product: DeskProduct) => Prices,
): SpreadRow {
  const own = pricesOf(product);
  const sides = legs.map((leg) => ({ ...leg, prices: pricesOf(leg.product) }));
  const refused = whyNoLegs(sides);
  const settlements = sides.flatMap(({ prices }) => prices.settlement ?? []);
  const legsUsd = refused === null ? addLegs(legs, settlements, 'settlements') : null;
  const otherSession = refused === null ? whyOtherSession(product, own, sides) : null;
  const hasPrice = [own.settlement, own.last].some((price) => price !== null && !isAbsent(price));
  return {
    product,
    legs,
    settlement: own.settlement,
    settledAt: own.settlementTime as Instant | null,
    last: own.last,
    lastAt: own.lastTime as Instant | null,
    legsUsd,
    settlementGap:
      otherSession === null && own.settlement && legsUsd
        ? compare(product, own.settlement, legsUsd, ['Settlement', 'settlements'])
        : null,
    lastPrices: toLastPrices(product, own, sides),
    missingBecause: hasPrice
      ? (refused ?? otherSession ?? whyWithheld(product, own, sides))
      : `${nameProduct(product)} is listed without a price.`,
  };
}

/** Names the product whose settlement is withheld. */
function whyWithheld(product: DeskProduct, own: Prices, sides: readonly Side[]): string | null {
  const all = [{ product, prices: own }, ...sides];
  const found = all.find(({ prices }) => (prices.settlement?.withheld ?? null) !== null);
  return found === undefined ? null : `${nameProduct(found.product)}: ${found.prices.settlement?.withheld ?? ''}`;
}

type PriceNames = readonly [ofSpread: 'Settlement' | 'Last price', ofLegs: 'settlements' | 'last prices'];

function addLegs(legs: readonly SpreadLeg[], prices: readonly Quantity[], name: PriceNames[1]): Quantity {
  return deriveQuantity('USD', `${nameLegs(legs)}, ${name} in USD`, prices, (values) =>
    values.reduce((sum, value, place) => sum.plus(value.times(legs[place]?.weight ?? 0)), new Decimal(0)),
  );
}

function toLastPrices(product: DeskProduct, own: Prices, sides: readonly Side[]): LastPrices {
  const all = [{ product, prices: own }, ...sides];
  const trades = all.map((each) => ({ name: nameProduct(each.product), at: each.prices.lastTime as Instant | null }));
  const without = all.find(({ prices: { last, lastTime } }) => last === null || lastTime === null || isAbsent(last));
  if (without !== undefined) {
    const missingBecause = `${nameProduct(without.product)} has no last price, so last prices are not compared.`;
    return { legsUsd: null, gap: null, trades, oldestAt: null, minutesApart: null, missingBecause };
  }
  const lasts = sides.flatMap(({ prices }) => prices.last ?? []);
  const legsUsd = addLegs(sides, lasts, 'last prices');
  const times = trades.flatMap(({ at }) => at ?? []).toSorted(compareInstants);
  const [oldestAt = null, newestAt = null] = [times[0], times.at(-1)];
  return {
    legsUsd,
    gap: own.last && compare(product, own.last, legsUsd, ['Last price', 'last prices']),
    trades,
    oldestAt,
    minutesApart: oldestAt && newestAt && minutesApart(oldestAt, newestAt),
    missingBecause: null,
  };
}

/** A price that is withheld exists. */
function isAbsent({ value, withheld }: Quantity): boolean {
  return value === null && withheld === null;
}

function whyOtherSession(product: DeskProduct, own: Prices, sides: readonly Side[]): string | null {
  const [first] = sides;
  if (own.settlementTime === null || first === undefined || first.prices.settlementTime === own.settlementTime)
    return null;
  return (
    `${nameProduct(product)} settled on ${describeTime(own)} and its legs on ${describeTime(first.prices)}, so these ` +
    'settlements are not compared.'
  );
}

interface Side extends SpreadLeg {
  readonly prices: Prices;
}

/** The legs make a difference only if all of them settled in the same session. */
function whyNoLegs(sides: readonly Side[]): string | null {
  const missing = sides.find(({ prices }) => prices.settlement === null || prices.settlementTime === null);
  if (missing !== undefined)
    return `${nameProduct(missing.product)} has no settlement, so there is no difference of the legs.`;
  const [first] = sides;
  const other = sides.find(({ prices }) => prices.settlementTime !== first?.prices.settlementTime);
  if (first === undefined || other === undefined) return null;
  return (
    `${nameProduct(first.product)} settled on ${describeTime(first.prices)} and ${nameProduct(other.product)} on ` +
    `${describeTime(other.prices)}: settlements of different sessions have no difference.`
  );
}

/** `1 × BUSU26 − 1 × BUSZ26`. */
export function nameLegs(legs: readonly SpreadLeg[]): string {
  const terms = legs.map(({ product, weight }, place) => {
    const sign = weight.isNegative() ? '− ' : place === 0 ? '' : '+ ';
    return `${sign}${weight.abs().toFixed()} × ${nameProduct(product)}`;
  });
  return terms.join(' ');
}

function compare(product: DeskProduct, price: Quantity, legsUsd: Quantity, [name, ofLegs]: PriceNames): SpreadGap {
  const how = `${name} of the spread − difference of the legs’ ${ofLegs}`;
  const usd = deriveQuantity('USD', how, [price, legsUsd], ([a, b]) => (a && b ? a.minus(b) : null));
  const increment = wireText(product, 'price_increment');
  const ticks = deriveQuantity(
    'ticks',
    `the same ÷ tick size of the spread, ${increment ?? 'not published'}`,
    [usd],
    ([value]) => (value && increment !== undefined ? value.div(increment) : null),
  );
  return { usd, ticks, isApart: ticks.value?.abs().gt(1) === true };
}

/** Says by how much a spread settled away from its legs; null if by no more than a tick. */
export function describeApart({ product, settlementGap }: SpreadRow): string | null {
  const [ticks, usd] = [settlementGap?.ticks.value ?? null, settlementGap?.usd.value ?? null];
  if (settlementGap?.isApart !== true || ticks === null || usd === null) return null;
  const side = ticks.isNegative() ? 'below' : 'above';
  return (
    `${nameProduct(product)} settled ${formatNumber(ticks.abs(), { digits: 1 })} ticks ` +
    `(${formatNumber(usd.abs())} USD) ${side} the difference of its legs.`
  );
}
