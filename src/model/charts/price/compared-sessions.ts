import type { DeskProduct } from '#contract/desk/desk.ts';
import type { Day } from '#contract/exchange/instant.ts';
import type { PriceDataPoint } from '#contract/exchange/market-data.ts';
import { orderSessions } from '../../price/bars.ts';
import type { RunningChange } from '../../price/running-session.ts';
import { type Period, toPeriodStart } from '../../time/date-range.ts';
import { asUsd, deriveQuantity, type Quantity, toQuantity } from '../../units/quantity.ts';
import type { Prices } from './slot-provenance.ts';

export interface ComparedProduct {
  readonly name: string;
  /** Null if the product list does not describe it. */
  readonly product: DeskProduct | null;
  readonly prices: Prices;
  /** The running session; null if there is none or its change is unknown. */
  readonly running: RunningChange | null;
}

/** A product with its settlements by session, ascending. */
export interface SettledProduct extends ComparedProduct {
  readonly settled: ReadonlyMap<Day, PriceDataPoint>;
}

/** A session that all products have. Of a week or month, it is the last one. */
export interface ComparedSession {
  /** The session, or the first day of the week or month. */
  readonly key: Day;
  readonly session: Day;
  /** Whether the session is in progress, for all products. Its prices are the last ones. */
  readonly isRunning: boolean;
}

export function toSettledProduct(product: ComparedProduct): SettledProduct {
  const points = orderSessions(product.prices.value).filter(({ settlementPrice }) => settlementPrice !== null);
  return { ...product, settled: new Map(points.map((point) => [point.date, point])) };
}

/**
 * Finds the sessions of which all products have the settlement, ascending. A session in progress counts only if it is in
 * progress for all of them, and the change of each is since its newest settlement.
 */
export function findCommonSessions(products: readonly SettledProduct[]): readonly ComparedSession[] {
  const [first, ...others] = products;
  if (first === undefined) return [];
  const settled = [...first.settled.keys()].filter((day) => others.every((product) => product.settled.has(day)));
  if (settled.length === 0) return [];
  const running = first.running?.date;
  const isRunning =
    running !== undefined &&
    products.every((product) => product.running?.date === running && product.running.since === newestOf(product));
  return [
    ...settled.map((day) => ({ key: day, session: day, isRunning: false })),
    ...(isRunning ? [{ key: running, session: running, isRunning: true }] : []),
  ];
}

function newestOf({ settled }: SettledProduct): Day | undefined {
  return [...settled.keys()].at(-1);
}

/** Keeps the last session of each week or month. */
export function toPeriodEnds(sessions: readonly ComparedSession[], period: Period): readonly ComparedSession[] {
  const ends = sessions.map((one) => ({ ...one, key: toPeriodStart(one.session, period) }));
  return ends.filter(({ key }, index) => key !== ends[index + 1]?.key);
}

/** Counts the sessions up to the last common one that not all products have. */
export function countUncommon(products: readonly SettledProduct[], common: readonly ComparedSession[]): number {
  const known = new Set(common.map(({ session }) => session));
  const [first, last] = [common[0]?.session ?? '', common.at(-1)?.session ?? ''];
  const days = new Set(products.flatMap(({ settled }) => [...settled.keys()]));
  return [...days].filter((day) => day > first && day < last && !known.has(day)).length;
}

/** Returns the product's newest session if it is later than the compared ones. */
export function findLaterSession(
  product: SettledProduct,
  { session, isRunning }: ComparedSession,
): Pick<ComparedSession, 'session' | 'isRunning'> | null {
  const { running } = product;
  const newest = newestOf(product);
  if (running !== null && running.date > (newest ?? ''))
    return running.date > session || !isRunning ? { session: running.date, isRunning: true } : null;
  return newest !== undefined && newest > session ? { session: newest, isRunning: false } : null;
}

/** Returns the settlement, or of a session in progress, the last price. */
export function toComparedPrice(product: SettledProduct, { session, isRunning }: ComparedSession): Quantity {
  const { running } = product;
  if (!isRunning || running === null) return toSettlement(product, session);
  return deriveQuantity(
    'USD',
    `Last price: settlement of ${running.since} × (1 + change of the last price since it).`,
    [toSettlement(product, running.since), running.fraction],
    ([from, change]) => (from && change ? from.plus(from.times(change)) : null),
  );
}

function toSettlement({ settled, prices: source }: SettledProduct, day: Day): Quantity {
  const point: Pick<PriceDataPoint, 'settlementPrice'> = settled.get(day) ?? { settlementPrice: null };
  return toQuantity({ source, dataTime: day }, point, 'settlementPrice', asUsd);
}
