import { toNumber } from '#contract/exchange/brand.ts';
import type { DeskProduct } from '#contract/desk/desk.ts';
import type { Day } from '#contract/exchange/instant.ts';
import type { PriceDataPoint, VOIDataPoint } from '#contract/exchange/market-data.ts';
import { nameSome } from '../format/count.ts';
import { formatDay } from '../format/format-time.ts';
import { sessionAfter, type SessionRules } from '../time/session.ts';
import { groupByProduct } from '../voi/voi-rows.ts';
import { hasPassed, relate, toAmount } from './facts.ts';
import { toChartSettlement, toOpenInterestPrice, toValueTerms } from './price-evidence.ts';

/**
 * What the cross-checks of the newest sessions do not cover. An earlier session may have been corrected in one response
 * only, so it is named, and nothing is withheld.
 */

/** Names the sessions whose candles contradict the daily figures; null if none do. */
export function describeOtherCandles(
  prices: readonly PriceDataPoint[],
  days: readonly VOIDataPoint[],
  product: DeskProduct | null,
): string | null {
  const terms = product && toValueTerms(product);
  const byDate = new Map(days.map((day) => [day.date, day]));
  const isOther = (point: PriceDataPoint): boolean => {
    const day = byDate.get(point.date);
    if (day === undefined) return false;
    const [chart, interest] = [toChartSettlement(point), terms && toOpenInterestPrice(day, terms)];
    const facts = [
      relate(null, null, toAmount('candle volume', point.ohlc.volume), toAmount('volume', day.volume)),
      relate(null, null, chart && { range: chart, terms: {} }, interest && { range: interest, terms: {} }),
    ];
    return facts.some((fact) => fact !== null && !hasPassed(fact));
  };
  const other = prices.filter(isOther).map(({ date }) => formatDay(date));
  return other.length === 0
    ? null
    : `The chart and the daily volume or open interest of ${nameSome(other)} contradict each other.`;
}

/** Contracts may also be opened and closed by other means than trades in the market, but not so many. */
const BEYOND_TRADES = 2;
/** The newest day has no day after it that would show it to be alone. */
const BEYOND_DAY_BEFORE = 5;
/** Fewer contracts may all be closed, and as many opened again. */
const MANY = 100;

/** Names the days whose open interest does not go with that of the days around it; null if there are none. */
export function describeLoneInterest(rows: readonly VOIDataPoint[], rules: SessionRules): string | null {
  const found = [...groupByProduct(rows).values()].flatMap((days) => findLone(days, rules));
  const dates = [...new Set(found)].sort().map(formatDay);
  return dates.length === 0
    ? null
    : `Open interest of ${nameSome(dates)} is in doubt: it changed by more contracts than were traded, or is zero ` +
        'between days when it is not.';
}

function findLone(all: readonly VOIDataPoint[], rules: SessionRules): readonly Day[] {
  const days = all.filter(({ openInterest }) => openInterest !== null);
  const changes = days.map((day, at) => toChange(days[at - 1], day, rules));
  return days.flatMap(({ date }, at) => {
    const [before, change, after] = [changes[at - 1], changes[at], changes[at + 1]];
    if (!change) return [];
    // Where the newest day differs, the day before must be known to be right. An expiry ends all open interest.
    const isLone = after
      ? change.isUnlikely && after.isUnlikely && change.contracts * after.contracts < 0
      : at === days.length - 1 &&
        (change.contracts > 0 || rules.everyDay) &&
        change.times >= BEYOND_DAY_BEFORE &&
        change.isUnlikely &&
        before?.isUnlikely === false;
    return isLone ? [date] : [];
  });
}

interface Change {
  readonly contracts: number;
  readonly times: number;
  /** Whether it is by far more than was traded, or from or to zero. */
  readonly isUnlikely: boolean;
}

/** Returns how open interest changed since the session before; null if that is not known. */
function toChange(
  before: VOIDataPoint | undefined,
  { date, openInterest, volume }: VOIDataPoint,
  rules: SessionRules,
): Change | null {
  if (before === undefined || before.openInterest === null || openInterest === null || volume === null) return null;
  if (sessionAfter(before.date, rules) !== date) return null;
  const [was, is] = [toNumber(before.openInterest), toNumber(openInterest)];
  const [least, most] = [Math.min(was, is), Math.max(was, is)];
  const isUnlikely = most - least > BEYOND_TRADES * toNumber(volume) || (least === 0 && most >= MANY);
  return { contracts: is - was, times: most / least, isUnlikely };
}
