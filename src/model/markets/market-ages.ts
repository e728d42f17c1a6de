import type { Day } from '#contract/exchange/day.ts';
import type { Instant } from '#contract/exchange/instant.ts';
import type { DataTime } from '../source.ts';
import { type DueTimes, sessionsDueOf } from '../time/due-times.ts';
import { findOverdue, type Overdue } from '../time/overdue.ts';
import { dateOf, sessionOf, toMillis } from '../time/session.ts';

/** Which figures of a product are older than they may be, and which just are not of the newest session. */
export interface MarketAges {
  readonly overdueRate: Overdue | null;
  /** The last price comes with it: a product may go without a trade for any time. */
  readonly overdueSettlement: Overdue | null;
  readonly overdueInterest: Overdue | null;
  /** The settlement is of an earlier session than the newest. */
  readonly hasEarlierSettlement: boolean;
  /** Open interest is of an earlier session than the newest that should be published. */
  readonly hasEarlierInterest: boolean;
  /** The last trade was before the newest settled session. */
  readonly hasEarlierTrade: boolean;
}

/** Until the exchange's time is known. */
export const NO_AGES: MarketAges = {
  overdueRate: null,
  overdueSettlement: null,
  overdueInterest: null,
  hasEarlierSettlement: false,
  hasEarlierInterest: false,
  hasEarlierTrade: false,
};

/** The figures of a row that have a time. */
interface DatedRow {
  readonly product: { readonly type?: string };
  readonly settlementTime: DataTime | null;
  readonly lastTime: DataTime | null;
  readonly openInterestDate: Day | null;
  readonly funding: { readonly settledAt: Instant | null } | null;
}

/** Adds to each row what of it is old. */
export function addAges<Row extends DatedRow>(rows: readonly Row[], due: DueTimes | null): readonly Row[] {
  return due === null ? rows : rows.map((row) => ({ ...row, ages: toAges(row, due) }));
}

function toAges(row: DatedRow, due: DueTimes): MarketAges {
  const sessions = sessionsDueOf(row.product, due);
  const { newest } = sessions.productDataAll;
  return {
    overdueRate: findOverdue(row.funding?.settledAt ?? null, due.fundingRates),
    overdueSettlement: findOverdue(row.settlementTime, sessions.productDataAll),
    overdueInterest: findOverdue(row.openInterestDate, sessions.chartVoi),
    hasEarlierSettlement: row.settlementTime !== null && dateOf(row.settlementTime) < newest,
    hasEarlierInterest: row.openInterestDate !== null && row.openInterestDate < sessions.chartVoi.newest,
    hasEarlierTrade: (toLastSession(row) ?? newest) < newest,
  };
}

/** The session of the last trade. */
export function toLastSession({ product, lastTime }: Pick<DatedRow, 'product' | 'lastTime'>): Day | null {
  return lastTime === null
    ? null
    : sessionOf(toMillis(lastTime as Instant), { everyDay: product.type === 'perpetual' });
}
