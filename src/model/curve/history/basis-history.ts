import type { DeskProduct } from '#contract/desk/desk.ts';
import type { Day, Instant } from '#contract/exchange/instant.ts';
import type { PriceDataPoint } from '#contract/exchange/market-data.ts';
import { findWithheldReason } from '#contract/exchange/row-notes.ts';
import { compareCodes } from '../../compare-codes.ts';
import { formatDay } from '../../format/format-time.ts';
import { countPriceDigits } from '../../format/number.ts';
import { orderSessions } from '../../price/bars.ts';
import { withholdImpossiblePrices } from '../../price/withheld-prices.ts';
import { nameProduct } from '../../products/product-directory.ts';
import type { Sourced } from '../../response.ts';
import { addMonths, dateOf, weekdayOf } from '../../time/session.ts';
import { asUsd, toQuantity } from '../../units/quantity.ts';
import type { Curve, CurveLeg, CurveMonth } from '../curve-months.ts';
import { type CurveRow, MATURITIES, toCurveRows } from '../curve-rows.ts';
import { drawConstant, type DrawnLine, drawMonth, toDrawnLeg, toMinutes } from './draw-history.ts';
import type { HistoryRange } from './history-params.ts';

const MONTHS: Readonly<Record<HistoryRange, number>> = { '3M': 3, '6M': 6, '1Y': 12, '2Y': 24 };

/** Returns the first day of a range that ends with a day. */
export function toHistoryStart(range: HistoryRange, until: Day): Day {
  return addMonths(until, -MONTHS[range]);
}

export type DatedProduct = DeskProduct & { readonly final_settle_time: Instant };

/** A series and the days of its history, inclusive. */
export interface HistorySubject {
  readonly underlying: string;
  readonly baseSymbol: string;
  readonly from: Day;
  readonly until: Day;
}

/** Lists the months of a series that were listed between two days, also those that have expired since, by expiry. */
export function listHistoryMonths(
  directory: readonly DeskProduct[],
  { underlying, baseSymbol, from, until }: HistorySubject,
): readonly DatedProduct[] {
  return directory
    .filter(
      (product): product is DatedProduct =>
        product.type === 'future' &&
        product.base_symbol === baseSymbol &&
        product.contract_size_unit === underlying &&
        product.final_settle_time !== undefined &&
        dateOf(product.final_settle_time) > from &&
        product.product_status !== 'forthcoming' &&
        (product.first_trading_day ?? from) <= until,
    )
    .toSorted((a, b) => compareCodes(a.final_settle_time, b.final_settle_time));
}

/** The daily prices of a product, or why they could not be read. */
type ReadPrices = Sourced<readonly PriceDataPoint[]> | { readonly missingBecause: string };

export interface HistoryMonth {
  readonly product: DatedProduct;
  readonly prices: ReadPrices;
}

interface HistoryPerpetual {
  readonly product: DeskProduct;
  readonly prices: Sourced<readonly PriceDataPoint[]>;
}

/** A month, or a maturity that no product has, over all sessions. */
export interface HistoryLine extends DrawnLine {
  /** As in the rows of a curve. */
  readonly key: string;
  readonly kind: 'month' | 'constant';
  /** `Z26`, `30 days`. */
  readonly name: string;
}

/** What the months of a series cost over the perpetual, session by session. */
export interface BasisHistory extends HistorySubject {
  readonly perpetual: string;
  /** Fraction digits of prices in USD. */
  readonly digits: number;
  /** Those in which a month settled, ascending, from the first in which the perpetual settled as well. */
  readonly sessions: readonly Day[];
  /** Constant maturities, then months, the last expiry first; only those that some session lists. */
  readonly lines: readonly HistoryLine[];
  /** Sessions of weekdays in which the perpetual settled and no month did, such as holidays. */
  readonly withoutMonths: readonly Day[];
  /** Exact figures with their provenance, computed when they are needed. */
  readonly curveAt: (index: number) => HistoryCurve;
}

interface HistoryCurve {
  readonly curve: Curve;
  readonly rows: readonly CurveRow[];
}

interface Leg {
  readonly product: DeskProduct;
  readonly symbol: string;
  readonly prices: ReadPrices;
  /** Ascending; only sessions of the history. */
  readonly points: ReadonlyMap<Day, PriceDataPoint>;
}

interface MonthLeg extends Leg {
  readonly product: DatedProduct;
  readonly expiresAt: Instant;
  /** The first day on which it was listed, as published, or else that of its first settlement. */
  readonly listedFrom: string;
}

/** Makes the history of a series from the daily prices of its months and of the perpetual. */
export function toBasisHistory(
  subject: HistorySubject,
  months: readonly HistoryMonth[],
  perpetual: HistoryPerpetual,
): BasisHistory {
  const base = toLeg(perpetual.product, perpetual.prices, subject);
  const legs = months.map((month) => toMonthLeg(month, subject));
  const first = [...base.points].find(isSettled)?.[0];
  const settled = new Set(legs.flatMap(({ points }) => [...points].filter(isSettled).map(([day]) => day)));
  const sessions = [...settled].filter((day) => first !== undefined && day >= first).toSorted(compareCodes);
  const drawnBase = toDrawnLeg(base.points, sessions);
  const drawn = legs.map((leg) => {
    const own = { ...toDrawnLeg(leg.points, sessions), ...toListing(leg, sessions) };
    return { leg, own, line: drawMonth(own, drawnBase) };
  });
  const lines: readonly HistoryLine[] = [
    ...MATURITIES.map((days) => {
      const name = `${String(days)} days`;
      return { key: name, kind: 'constant' as const, name, ...drawConstant(days, drawn, drawnBase) };
    }),
    ...drawn
      .map(({ leg, line }) => ({ key: leg.symbol, kind: 'month' as const, name: nameMonth(leg), ...line }))
      .toReversed(),
  ];
  const [start = subject.from, end = subject.from] = [sessions[0], sessions.at(-1)];
  const known = new Map<number, HistoryCurve>();
  return {
    ...subject,
    perpetual: base.symbol,
    digits: countPriceDigits([...base.points.values()].map(({ settlementPrice }) => settlementPrice)),
    sessions,
    lines: lines.filter(({ cells }) => cells.some((cell) => cell !== 'not listed')),
    withoutMonths: [...base.points.keys()].filter(
      (day) => day > start && day < end && weekdayOf(day) < SATURDAY && !settled.has(day),
    ),
    curveAt: (index) => {
      const found = known.get(index) ?? toHistoryCurve(subject, sessions[index] ?? subject.until, { base, legs });
      known.set(index, found);
      return found;
    },
  };
}

const SATURDAY = 6;

function toLeg(product: DeskProduct, prices: ReadPrices, { from, until }: HistorySubject): Leg {
  const read = 'value' in prices ? orderSessions(withholdImpossiblePrices(prices.value, product)) : [];
  const points = new Map(read.filter(({ date }) => date >= from && date <= until).map((point) => [point.date, point]));
  return { product, symbol: nameProduct(product), prices, points };
}

function toMonthLeg({ product, prices }: HistoryMonth, subject: HistorySubject): MonthLeg {
  const leg = toLeg(product, prices, subject);
  const listedFrom = product.first_trading_day ?? [...leg.points].find(isSettled)?.[0] ?? subject.from;
  return { ...leg, product, expiresAt: product.final_settle_time, listedFrom };
}

function isSettled([, { settlementPrice }]: readonly [Day, PriceDataPoint]): boolean {
  return settlementPrice !== null;
}

/** On its last day, a month's settlement is the final one, which leaves nothing to hold. */
function isListed({ listedFrom, expiresAt }: MonthLeg, session: Day): boolean {
  return listedFrom <= session && session < dateOf(expiresAt);
}

function toListing(leg: MonthLeg, sessions: readonly Day[]) {
  const from = sessions.findIndex((day) => isListed(leg, day));
  const to = sessions.findLastIndex((day) => isListed(leg, day)) + 1;
  return { expiresAt: toMinutes(leg.expiresAt), listed: [from, to] as const };
}

function nameMonth({ product: { month, year }, symbol }: MonthLeg): string {
  return month === undefined || year === undefined ? symbol : `${month}${String(year).slice(-2)}`;
}

interface Legs {
  readonly base: Leg;
  readonly legs: readonly MonthLeg[];
}

function toHistoryCurve({ underlying, baseSymbol }: HistorySubject, session: Day, { base, legs }: Legs): HistoryCurve {
  const listed = legs.filter((leg) => isListed(leg, session));
  const months: readonly CurveMonth[] = listed.map((leg) => ({
    ...toCurveLeg(leg, session),
    name: nameMonth(leg),
    expiresAt: leg.expiresAt,
  }));
  const curve = { underlying, session, series: [], baseSymbol, months, perpetual: toCurveLeg(base, session) };
  return { curve, rows: toCurveRows(curve) };
}

function toCurveLeg({ product, symbol, prices, points }: Leg, session: Day): CurveLeg {
  const leg = { product, symbol, session, openInterest: null };
  if ('missingBecause' in prices) {
    const missingBecause = `The prices of ${symbol} could not be read: ${prices.missingBecause}`;
    return { ...leg, settlement: null, settledAt: null, missingBecause };
  }
  const point = points.get(session);
  if (
    point === undefined ||
    (point.settlementPrice === null && findWithheldReason(point, 'settlementPrice') === null)
  ) {
    const missingBecause = `${symbol} has no settlement of ${formatDay(session)}.`;
    return { ...leg, settlement: null, settledAt: null, missingBecause };
  }
  const settlement = toQuantity({ source: prices, dataTime: point.time }, point, 'settlementPrice', asUsd);
  return { ...leg, settlement, settledAt: point.time, missingBecause: null };
}
