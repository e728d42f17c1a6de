import type { DeskJournalPrices, RecordedPrice } from '#contract/desk/journal.ts';
import { toNumber } from '#contract/exchange/brand.ts';
import { compareInstants, type Day } from '#contract/exchange/instant.ts';
import type { ProductData } from '#contract/exchange/product.ts';
import { formatDay } from '../format/format-time.ts';
import type { Sourced } from '../response.ts';
import { addDays, dateOf, sessionBefore, type SessionRules } from '../time/session.ts';
import { asTicks, deriveQuantity, type Quantity, toQuantity } from '../units/quantity.ts';
import { type MarketPrices, toLastPrice } from './market-prices.ts';
import type { PriceChange, PriceChangeName, PriceChanges } from './price-change-names.ts';

/** Compare the newest settlement with an earlier one. */
export const SETTLEMENT_CHANGES = [
  'settlementChange',
  'change7d',
  'change30d',
] as const satisfies readonly PriceChangeName[];

type SettlementChangeName = (typeof SETTLEMENT_CHANGES)[number];

/** The session whose settlement each change compares with the newest settlement. */
const COMPARED_SESSION: Readonly<Record<SettlementChangeName, (day: Day, rules: SessionRules) => Day>> = {
  settlementChange: sessionBefore,
  change7d: (day, rules) => lastSessionUntil(addDays(day, -7), rules),
  change30d: (day, rules) => lastSessionUntil(addDays(day, -30), rules),
};

/** A response; why it could not be read; or undefined while it is being read. */
export type Earlier<T> = Sourced<T> | { readonly missingBecause: string } | undefined;

export interface EarlierPrices {
  /** Product data of settled sessions. */
  readonly sessions: ReadonlyMap<Day, Earlier<readonly ProductData[]>>;
  /** The prices that Perpdesk recorded a day ago. */
  readonly dayAgo: Earlier<DeskJournalPrices>;
}

function lastSessionUntil(day: Day, rules: SessionRules): Day {
  return sessionBefore(addDays(day, 1), rules);
}

interface PricedRow extends Pick<MarketPrices, 'ticks' | 'settlementTime' | 'lastTime' | 'missingBecause'> {
  readonly productId: number;
  readonly product: { readonly type?: string };
  readonly changes: PriceChanges;
}

function rulesOf({ product }: Pick<PricedRow, 'product'>): SessionRules {
  return { everyDay: product.type === 'perpetual' };
}

/**
 * Lists the sessions whose settlements are compared with the newest ones, of perpetuals and of dated contracts. Their
 * number does not depend on the number of products.
 */
export function listComparedSessions(
  rows: readonly Pick<PricedRow, 'product' | 'settlementTime'>[],
  names: readonly SettlementChangeName[],
): readonly Day[] {
  const byRules = Map.groupBy(rows, (row) => rulesOf(row).everyDay);
  const days = [...byRules].flatMap(([everyDay, members]) => {
    const newest = members
      .flatMap(({ settlementTime }) => (settlementTime === null ? [] : [dateOf(settlementTime)]))
      .toSorted()
      .at(-1);
    return newest === undefined ? [] : names.map((name) => COMPARED_SESSION[name](newest, { everyDay }));
  });
  return [...new Set(days)].toSorted();
}

export type ChangeJoin = <Row extends PricedRow>(rows: readonly Row[]) => readonly Row[];

/**
 * Creates a function that adds to each row its changes against earlier prices. A row that has not changed stays the
 * same object, so it is not drawn again.
 */
export function createChangeJoin({ sessions, dayAgo }: EarlierPrices): ChangeJoin {
  const settled = new Map([...sessions].map(([day, session]) => [day, indexRows(session, (all) => all)]));
  const recorded = indexRows(dayAgo, ({ prices }) => prices);
  const notRecorded = dayAgo !== undefined && 'value' in dayAgo ? dayAgo.value.missing : null;
  const toSettled = (row: PricedRow, name: SettlementChangeName): PriceChange | null => {
    if (row.settlementTime === null) return none(row.missingBecause);
    const day = COMPARED_SESSION[name](dateOf(row.settlementTime), rulesOf(row));
    return toSettlementChange(row, day, settled.get(day));
  };
  const toChanges = (row: PricedRow): PriceChanges => ({
    settlementChange: toSettled(row, 'settlementChange'),
    change7d: toSettled(row, 'change7d'),
    change30d: toSettled(row, 'change30d'),
    change24h: notRecorded === null ? toDayChange(row, recorded) : none(notRecorded),
  });
  const known = new WeakMap<PricedRow, PricedRow>();
  return <Row extends PricedRow>(rows: readonly Row[]) =>
    rows.map((row) => {
      const joined = (known.get(row) as Row | undefined) ?? { ...row, changes: toChanges(row) };
      known.set(row, joined);
      return joined;
    });
}

/** The row of each product with its response. */
type Indexed<Row> =
  | ReadonlyMap<number, { readonly source: Sourced<unknown>; readonly row: Row }>
  | Exclude<Earlier<never>, Sourced<never>>;

function indexRows<T, Row extends Pick<RecordedPrice, 'product_id'>>(
  source: Earlier<T>,
  rowsOf: (value: T) => readonly Row[],
): Indexed<Row> {
  if (source === undefined || 'missingBecause' in source) return source;
  return new Map(rowsOf(source.value).map((row) => [toNumber(row.product_id), { source, row }]));
}

function none(missingBecause: string | null): PriceChange {
  return { quantity: null, missingBecause: missingBecause ?? 'The exchange publishes no price for this product.' };
}

function toSettlementChange(
  { productId, ticks, missingBecause }: PricedRow,
  day: Day,
  session: Indexed<ProductData>,
): PriceChange | null {
  if (session === undefined) return null;
  if (ticks === null) return none(missingBecause);
  if ('missingBecause' in session) return none(session.missingBecause);
  const before = session.get(productId);
  const at = before?.row.settlement_time ?? null;
  if (before === undefined || at === null || dateOf(at) !== day)
    return none(`The exchange publishes no settlement of ${formatDay(day)} for this product.`);
  const earlier = toQuantity({ source: before.source, dataTime: at }, before.row, 'settlement_price', asTicks);
  return toChange(`Newest settlement ÷ settlement of ${formatDay(day)} − 1, in ticks`, earlier, ticks.settlement);
}

function toDayChange({ productId, ticks, lastTime, missingBecause }: PricedRow, recorded: Indexed<RecordedPrice>) {
  if (recorded === undefined) return null;
  if (ticks === null) return none(missingBecause);
  if ('missingBecause' in recorded) return none(recorded.missingBecause);
  const before = recorded.get(productId);
  const at = before?.row.last_price_time ?? null;
  if (before === undefined || at === null || lastTime === null)
    return none('No last price of this product was recorded 24 hours ago.');
  if (compareInstants(lastTime as typeof at, at) === 0) return none('There was no trade in the last 24 hours.');
  const earlier = toLastPrice(before.source, before.row, asTicks);
  return toChange('Last price ÷ last price recorded 24 hours before − 1, in ticks', earlier, ticks.last);
}

/** A price at or below zero, as a spread may have, has no change in percent. */
function toChange(how: string, before: Quantity, now: Quantity): PriceChange {
  const quantity = deriveQuantity('fraction', how, [now, before], ([last, first]) =>
    last && first?.gt(0) === true && last.gt(0) ? last.div(first).minus(1) : null,
  );
  return { quantity, missingBecause: null };
}
