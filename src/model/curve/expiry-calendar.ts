import { toNumber } from '#contract/exchange/brand.ts';
import { wireText } from '#contract/exchange/row-notes.ts';
import type { DeskProduct } from '#contract/desk/desk.ts';
import type { Day, Instant } from '#contract/exchange/instant.ts';
import type { VOIDataPoint } from '#contract/exchange/market-data.ts';
import { compareCodes } from '../compare-codes.ts';
import { countOf } from '../format/count.ts';
import { formatDay } from '../format/format-time.ts';
import type { CalendarEvent } from '../format/ics.ts';
import { formatNumber } from '../format/number.ts';
import { isActive } from '../products/is-active.ts';
import { nameProduct } from '../products/product-directory.ts';
import type { Sourced } from '../response.ts';
import { addDays, dateOf, sessionBefore, toMillis } from '../time/session.ts';
import { Decimal, sumOf, toDecimal } from '../units/decimal.ts';
import { asContracts, type Quantity, toQuantity } from '../units/quantity.ts';
import { groupByProduct } from '../voi/voi-rows.ts';

/** What of an underlying expires at one time. */
export interface Expiry {
  readonly underlying: string;
  readonly at: Instant;
  readonly futures: readonly DeskProduct[];
  readonly spreads: readonly DeskProduct[];
  readonly options: readonly DeskProduct[];
  readonly hasExpired: boolean;
}

/** Lists the expiries of active products by time; of one underlying, or of all. */
export function toExpiries(products: readonly DeskProduct[], underlying: string | null): readonly Expiry[] {
  const listed = products.filter(
    (product) =>
      product.type !== 'perpetual' &&
      isActive(product) &&
      (underlying === null || product.contract_size_unit === underlying),
  );
  return groupByExpiry(listed, false);
}

/**
 * Lists the months of an underlying that have expired since the earlier session, by time: what was open in them then
 * has been settled or rolled.
 */
export function toExpiredMonths(
  products: readonly DeskProduct[],
  underlying: string,
  { weekBefore }: InterestSessions,
): readonly Expiry[] {
  const expired = products.filter(
    ({ type, product_status: status, contract_size_unit: unit, final_settle_time: at }) =>
      type === 'future' && status === 'expired' && unit === underlying && at !== undefined && dateOf(at) > weekBefore,
  );
  return groupByExpiry(expired, true);
}

function groupByExpiry(products: readonly DeskProduct[], hasExpired: boolean): readonly Expiry[] {
  const dated = products.flatMap((product) => {
    const { final_settle_time: at, contract_size_unit: unit } = product;
    return at !== undefined && unit !== undefined ? [{ product, at, unit }] : [];
  });
  return [...Map.groupBy(dated, ({ at, unit }) => `${at} ${unit}`)]
    .toSorted(([a], [b]) => compareCodes(a, b))
    .flatMap(([, members]) => {
      const [first] = members;
      if (first === undefined) return [];
      const ofType = (type: string): readonly DeskProduct[] =>
        members
          .map(({ product }) => product)
          .filter((product) => product.type === type)
          .toSorted((a, b) => compareCodes(nameProduct(a), nameProduct(b)));
      return [
        {
          underlying: first.unit,
          at: first.at,
          futures: ofType('future'),
          spreads: ofType('spread'),
          options: ofType('option'),
          hasExpired,
        },
      ];
    });
}

/** Writes what expires: `BUCQ26, BUSQ26, 2 spreads, 40 options`. */
export function describeExpiring({ futures, spreads, options }: Expiry): string {
  return [
    ...futures.map(nameProduct),
    ...(spreads.length === 0 ? [] : [countOf(spreads.length, 'spread')]),
    ...(options.length === 0 ? [] : [countOf(options.length, 'option')]),
  ].join(', ');
}

/** The names of options contain strike and right: `BUSZ26-C126000: Bitcoin US Dollar Standard Z26 126000 Call`. */
export function toCalendarEvents(expiries: readonly Expiry[]): readonly CalendarEvent[] {
  return expiries.map((expiry) => ({
    uid: `${expiry.underlying}-${String(toMillis(expiry.at))}-expiry@perpdesk`,
    at: toMillis(expiry.at),
    summary: `${expiry.underlying} expiry: ${describeExpiring(expiry)}`,
    description: [...expiry.futures, ...expiry.spreads, ...expiry.options]
      .map((product) => [nameProduct(product), product.product_name].filter((text) => text !== undefined).join(': '))
      .join('\n'),
  }));
}

/** The session of open interest and the one a week before it. */
export interface InterestSessions {
  readonly newest: Day;
  readonly weekBefore: Day;
}

/** Finds the newest session with open interest of a future. Futures have no session at weekends. */
export function findInterestSessions(
  expiries: readonly Expiry[],
  voi: readonly VOIDataPoint[],
): InterestSessions | null {
  const ids = new Set(expiries.flatMap(({ futures }) => futures.map(({ product_id: id }) => toNumber(id))));
  const newest = voi
    .filter((row) => row.openInterest !== null && ids.has(toNumber(row.productId)))
    .map(({ date }) => date)
    .toSorted()
    .at(-1);
  return newest === undefined ? null : { newest, weekBefore: sessionBefore(addDays(newest, -6), { everyDay: false }) };
}

/** Open interest of one future in both sessions. */
interface InterestPart {
  readonly product: DeskProduct;
  readonly now: Quantity | null;
  readonly weekBefore: Quantity | null;
  /** Why nothing can have been open in a session, in a sentence: the future was not listed, or had expired; or null. */
  readonly nothing: Readonly<Record<InterestTime, string | null>>;
}

type InterestTime = 'now' | 'weekBefore';

/**
 * Open interest of a month in units of the underlying, in which contracts of different sizes can be added. Null, which
 * is not zero, if that of one of its futures is missing.
 */
export interface MonthInterest {
  readonly parts: readonly InterestPart[];
  readonly now: Decimal | null;
  readonly weekBefore: Decimal | null;
  readonly change: Decimal | null;
  /** Why a figure is missing, in a sentence, or null. */
  readonly missingBecause: string | null;
}

export function toMonthInterests(
  expiries: readonly Expiry[],
  voi: Sourced<readonly VOIDataPoint[]>,
  sessions: InterestSessions,
): readonly (MonthInterest | null)[] {
  const days = groupByProduct(voi.value);
  return expiries.map(({ futures }) => {
    if (futures.length === 0) return null;
    const parts = futures.map((product): InterestPart => {
      const nothing = {
        now: whyNothing(product, sessions.newest),
        weekBefore: whyNothing(product, sessions.weekBefore),
      };
      const read = (day: Day): Quantity | null => {
        const row = days.get(toNumber(product.product_id))?.find(({ date }) => date === day);
        return row === undefined || row.openInterest === null
          ? null
          : toQuantity({ source: voi, dataTime: day }, row, 'openInterest', asContracts);
      };
      return {
        product,
        nothing,
        now: nothing.now === null ? read(sessions.newest) : null,
        weekBefore: nothing.weekBefore === null ? read(sessions.weekBefore) : null,
      };
    });
    const [now, weekBefore] = [toUnits(parts, 'now'), toUnits(parts, 'weekBefore')];
    return {
      parts,
      now,
      weekBefore,
      change: now && weekBefore && now.minus(weekBefore),
      missingBecause: whyMissing(parts, 'now', sessions.newest) ?? whyMissing(parts, 'weekBefore', sessions.weekBefore),
    };
  });
}

/** What the exchange publishes of the last session is from before the final settlement, which leaves nothing open. */
function whyNothing(product: DeskProduct, day: Day): string | null {
  const { first_trading_day: first, final_settle_time: last } = product;
  if (first !== undefined && first > day) return `It was not listed on ${formatDay(day)}.`;
  return last !== undefined && dateOf(last) <= day
    ? `It expired on ${formatDay(dateOf(last))}: nothing is open after the final settlement.`
    : null;
}

function toUnits(parts: readonly InterestPart[], name: InterestTime): Decimal | null {
  const values = parts.map((part) => {
    if (part.nothing[name] !== null) return new Decimal(0);
    const size = wireText(part.product, 'contract_size');
    return size === undefined ? null : (part[name]?.value?.times(toDecimal(size)) ?? null);
  });
  return values.includes(null) ? null : sumOf(values);
}

function whyMissing(parts: readonly InterestPart[], name: InterestTime, day: Day): string | null {
  const without = parts.find((part) => part[name] === null && part.nothing[name] === null);
  return without === undefined
    ? null
    : `The exchange has published no open interest of ${nameProduct(without.product)} for ${formatDay(day)}.`;
}

/** Says between which months open interest moved most in the week; null if it is unknown, or did not move. */
export function describeRoll(
  expiries: readonly Expiry[],
  interests: readonly (MonthInterest | null)[],
  { newest, weekBefore }: InterestSessions,
): string | null {
  const moves = expiries.flatMap((expiry, place) => {
    const change = interests[place]?.change ?? null;
    return change === null ? [] : [{ expiry, change }];
  });
  const sorted = moves.toSorted((a, b) => a.change.comparedTo(b.change));
  const [out, into] = [sorted[0], sorted.at(-1)];
  if (out === undefined || into === undefined) return null;
  const unit = out.expiry.underlying;
  const name = ({ expiry, change }: typeof out): string =>
    `${nameMonth(expiry)} (${formatNumber(change, { signed: true })} ${unit}${
      expiry.hasExpired ? `; expired on ${formatDay(dateOf(expiry.at))}` : ''
    })`;
  const begin = `From ${formatDay(weekBefore)} to ${formatDay(newest)}, open interest`;
  const total = describeTotal(interests, unit);
  const noMonth = `in no month${interests.some((one) => one?.change === null) ? ' whose change is known' : ''}`;
  if (!out.change.isNegative())
    return into.change.isZero() ? null : `${begin} fell ${noMonth} and grew most in ${name(into)}.${total}`;
  return into.change.gt(0)
    ? `${begin} fell most in ${name(out)} and grew most in ${name(into)}.${total}`
    : `${begin} grew ${noMonth} and fell most in ${name(out)}.${total}`;
}

/** Says what all months have together, so that what left one month and appeared in no other is seen; empty if unknown. */
function describeTotal(interests: readonly (MonthInterest | null)[], unit: string): string {
  const parts = interests.flatMap((interest) => interest?.parts ?? []);
  const [now, weekBefore] = [toUnits(parts, 'now'), toUnits(parts, 'weekBefore')];
  if (now === null || weekBefore === null) return '';
  const change = formatNumber(now.minus(weekBefore), { signed: true });
  return ` All months together have ${formatNumber(now)} ${unit}, ${change} against a week before.`;
}

/** `Z26`; the name of its future if the exchange publishes no month. */
export function nameMonth({ futures: [first] }: Expiry): string {
  if (first === undefined) return '';
  return first.month === undefined || first.year === undefined
    ? nameProduct(first)
    : `${first.month}${String(first.year).slice(-2)}`;
}
