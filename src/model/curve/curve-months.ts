import type { DeskProduct } from '#contract/desk/desk.ts';
import { toNumber } from '#contract/exchange/brand.ts';
import type { Day, Instant } from '#contract/exchange/instant.ts';
import type { ProductData } from '#contract/exchange/product.ts';
import { wireText } from '#contract/exchange/row-notes.ts';
import { formatSettledAt } from '../basis/basis.ts';
import { judgePrices, toIncrementCheck, whyWithheld } from '../checks/judge-prices.ts';
import { compareCodes } from '../compare-codes.ts';
import { formatDay } from '../format/format-time.ts';
import { isActive } from '../products/is-active.ts';
import { nameProduct } from '../products/product-directory.ts';
import type { Sourced } from '../response.ts';
import { dateOf } from '../time/session.ts';
import { Decimal, toDecimal } from '../units/decimal.ts';
import { asContracts, byIncrement, type Quantity, toQuantity } from '../units/quantity.ts';

interface LegBase {
  readonly product: DeskProduct;
  readonly symbol: string;
  /** The session of the published settlement. */
  readonly session: Day | null;
  readonly openInterest: Quantity | null;
}

interface SettledLeg extends LegBase {
  /** In USD. A wrong tick size withholds it. */
  readonly settlement: Quantity;
  readonly settledAt: Instant;
  readonly missingBecause: null;
}

interface UnsettledLeg extends LegBase {
  readonly settlement: null;
  /** When the published settlement was made, if it is of another session. */
  readonly settledAt: Instant | null;
  /** Why there is no settlement of the curve's session, in a sentence. */
  readonly missingBecause: string;
}

/** One product of a curve, in one session. */
export type CurveLeg = SettledLeg | UnsettledLeg;

export type CurveMonth = CurveLeg & {
  /** `Z26`. */
  readonly name: string;
  readonly expiresAt: Instant;
};

/** A series with months of an underlying, such as contracts of 1 BTC and of 0.01 BTC. */
interface CurveSeries {
  readonly baseSymbol: string;
  readonly months: readonly CurveMonth[];
}

/** The curve of an underlying in one session. */
export interface Curve {
  readonly underlying: string;
  /** Null if no month has a settlement. */
  readonly session: Day | null;
  /** The series with the most open interest first. */
  readonly series: readonly CurveSeries[];
  readonly baseSymbol: string;
  /** The months of the chosen series, by expiry. */
  readonly months: readonly CurveMonth[];
  /** The perpetual of the same underlying with the most open interest; null if none is listed. */
  readonly perpetual: CurveLeg | null;
}

/** Lists the underlyings that have active futures. */
export function listUnderlyings(directory: readonly DeskProduct[]): readonly string[] {
  const listed = directory.filter((product) => isDated(product) && isActive(product));
  return [...new Set(listed.flatMap(({ contract_size_unit: unit }) => unit ?? []))].sort(compareCodes);
}

interface CurveRequest {
  readonly directory: readonly DeskProduct[];
  readonly data: Sourced<readonly ProductData[]>;
  readonly underlying: string;
  /** The series; by default, or if it lists no months in this session, the one with the most open interest. */
  readonly baseSymbol?: string | null;
  /** The session; by default, the newest in which a month settled. */
  readonly session?: Day | null;
  /** Why the open interest in the data is not that of the session; it then only decides which series has the most. */
  readonly interestMissingBecause?: string | null;
}

/**
 * Makes the curve of an underlying from the product data of one session. Data of the running session have settlements
 * of two sessions after a weekend, because only perpetuals settle then. Data of a session by its day have one of each.
 * Null if no months were listed.
 */
export function toCurve(request: CurveRequest): Curve | null {
  const { directory, data, underlying } = request;
  const rows = new Map(data.value.map((row) => [toNumber(row.product_id), row]));
  const ofUnderlying = directory.filter(({ contract_size_unit: unit }) => unit === underlying);
  const dated = ofUnderlying.filter(isDated);
  const session = request.session ?? findNewestSession(dated, rows);
  const readLeg = (product: DeskProduct): CurveLeg =>
    toLeg(product, rows.get(toNumber(product.product_id)), { ...request, session });
  const months = dated.filter((product) => wasListed(product, session)).map((product) => toMonth(product, readLeg));
  const series = [...Map.groupBy(months, ({ product }) => product.base_symbol ?? '')]
    .map(([baseSymbol, members]) => ({
      baseSymbol,
      months: members.toSorted((a, b) => compareCodes(a.expiresAt, b.expiresAt)),
    }))
    .toSorted((a, b) => compareSizes(a.months, b.months, rows) || compareCodes(a.baseSymbol, b.baseSymbol));
  const chosen = series.find(({ baseSymbol }) => baseSymbol === request.baseSymbol) ?? series[0];
  if (chosen === undefined) return null;
  const [perpetual = null] = ofUnderlying
    .filter((product) => product.type === 'perpetual' && isActive(product))
    .map(readLeg)
    .toSorted((a, b) => compareSizes([a], [b], rows) || compareCodes(a.symbol, b.symbol));
  return { underlying, session, series, ...chosen, perpetual };
}

type DatedProduct = DeskProduct & { readonly final_settle_time: Instant };

function isDated(product: DeskProduct): product is DatedProduct {
  return product.type === 'future' && product.final_settle_time !== undefined;
}

type Rows = ReadonlyMap<number, ProductData>;

function findNewestSession(dated: readonly DatedProduct[], rows: Rows): Day | null {
  const days = dated.filter(isActive).flatMap(({ product_id: id }) => {
    const at = rows.get(toNumber(id))?.settlement_time ?? null;
    return at === null ? [] : [dateOf(at)];
  });
  return days.toSorted(compareCodes).at(-1) ?? null;
}

/**
 * Returns whether a month was listed in a session; it may have expired since. On its last day, its settlement is the
 * final one, which leaves nothing to hold.
 */
function wasListed(product: DatedProduct, session: Day | null): boolean {
  const { first_trading_day: first, final_settle_time: last, product_status: status } = product;
  if (session === null) return isActive(product);
  return (first === undefined ? status !== 'forthcoming' : first <= session) && session < dateOf(last);
}

function toMonth(product: DatedProduct, readLeg: (product: DeskProduct) => CurveLeg): CurveMonth {
  const { month, year, final_settle_time: expiresAt } = product;
  const leg = readLeg(product);
  const name = month === undefined || year === undefined ? leg.symbol : `${month}${String(year).slice(-2)}`;
  return { ...leg, name, expiresAt };
}

interface OfSession {
  readonly session: Day | null;
}

function toLeg(
  product: DeskProduct,
  row: ProductData | undefined,
  { data, session, interestMissingBecause = null }: Pick<CurveRequest, 'data' | 'interestMissingBecause'> & OfSession,
): CurveLeg {
  const symbol = nameProduct(product);
  const settledAt = row?.settlement_time ?? null;
  const openInterest =
    row === undefined
      ? null
      : toQuantity({ source: data, dataTime: session }, row, 'open_interest', {
          ...asContracts,
          withheld: interestMissingBecause,
        });
  const base = { product, symbol, session: settledAt === null ? null : dateOf(settledAt), openInterest };
  const ofSession = session === null ? '' : ` of ${formatDay(session)}`;
  const without = (missingBecause: string): CurveLeg => ({ ...base, settlement: null, settledAt, missingBecause });
  if (row === undefined) return without(`${symbol} has no product data${ofSession}.`);
  if (settledAt === null) return without(`${symbol} has no settlement${ofSession}.`);
  if (base.session !== session)
    return without(`${symbol} has no settlement${ofSession}: the published one is of ${formatSettledAt(settledAt)}.`);
  const conversion = byIncrement(product, whyPriceWithheld(product, row));
  if (conversion === null) return without(`The exchange publishes no tick size of ${symbol}.`);
  const settlement = toQuantity({ source: data, dataTime: settledAt }, row, 'settlement_price', conversion);
  return { ...base, settlement, settledAt, missingBecause: null };
}

/** Checks the prices against what the same response says of value and volume, which needs no other response. */
function whyPriceWithheld(product: DeskProduct, row: ProductData): string | null {
  const checks = judgePrices({
    product,
    days: [],
    sessions: [row],
    running: undefined,
    trailing: undefined,
    trailingAt: null,
    prices: [],
    latestPrint: undefined,
  });
  return toIncrementCheck(product, checks, false).reason ?? whyWithheld(checks.reasons, 'product data price');
}

/** Compares by open interest, or by volume until the exchange has published any, in units of the underlying. */
function compareSizes(a: readonly CurveLeg[], b: readonly CurveLeg[], rows: Rows): number {
  const bySize = (field: 'open_interest' | 'volume'): number =>
    sumUnits(b, rows, field).comparedTo(sumUnits(a, rows, field));
  return bySize('open_interest') || bySize('volume');
}

function sumUnits(legs: readonly CurveLeg[], rows: Rows, field: 'open_interest' | 'volume'): Decimal {
  return legs.reduce((sum, { product }) => {
    const row = rows.get(toNumber(product.product_id));
    const [count, size] = [row && wireText(row, field), wireText(product, 'contract_size')];
    return sum.plus(toDecimal(count ?? '0').times(toDecimal(size ?? '0')));
  }, new Decimal(0));
}
