import type { UsdText } from '#contract/exchange/amounts.ts';
import type { Day } from '#contract/exchange/instant.ts';
import { compareDecimalTexts } from '../units/decimal.ts';
import type { Bar } from './bars.ts';

export const TRADED_PRICES = ['open', 'high', 'low', 'close'] as const;
export type TradedPrice = (typeof TRADED_PRICES)[number];

/** A traded price that no price around it supports: probably a typing error or an erroneous trade. */
export interface BadTick {
  readonly date: Day;
  readonly field: TradedPrice;
  readonly price: UsdText;
}

/** Explains such a price in its provenance. */
export const BAD_TICK_RULE =
  'More than 20 % and more than 8 typical daily ranges beyond the settlements of its session and the ' +
  'sessions beside it.';

/** Minimum distance, as a share of the nearest supported price. Anything closer does not distort a chart. */
const LEAST_SHARE = 0.2;
/**
 * Minimum distance in typical daily ranges. The largest real moves without a confirming settlement are crashes that
 * recover within a session: three to four ranges for large coins. A slipped digit or half a price is ten ranges or more
 * away.
 */
const LEAST_RANGES = 8;
/** Sessions on either side whose ranges count. Their median is the typical range; a few bad ticks do not change it. */
const NEIGHBOURS = 10;
/** With fewer sessions, a typical range cannot be known. */
const LEAST_NEIGHBOURS = 5;

/**
 * Finds traded prices far beyond all settlements around them. A settlement is official and does not rest on one trade,
 * so a session that opens far away and stays there has no bad tick: its settlement and the next confirm the move.
 * Sessions without a known settlement are not judged, nor sessions without trades, whose candle may consist of zeros.
 * Bars ascend by date.
 */
export function findBadTicks(daily: readonly Bar[]): readonly BadTick[] {
  const found: BadTick[] = [];
  let before: UsdText | null = null;
  daily.forEach((bar, index) => {
    if (!isCalm(bar))
      found.push(
        ...findInSession(bar, {
          before,
          after: daily[index + 1]?.settlement ?? null,
          typicalRange: toTypicalRange(index, daily),
        }),
      );
    before = bar.settlement ?? before;
  });
  return found;
}

/**
 * Returns whether every price is within the minimum distance of the session's own settlement, so that none can be a bad
 * tick. This settles nearly all sessions cheaply.
 */
function isCalm(bar: Bar): boolean {
  const settlement = Number(bar.settlement);
  return (
    bar.volume === 0 ||
    bar.settlement === null ||
    TRADED_PRICES.every((field) => Math.abs(Number(bar[field] ?? settlement) - settlement) <= LEAST_SHARE * settlement)
  );
}

interface Surroundings {
  /** Settlements of the session before and the session after, where known. */
  readonly before: UsdText | null;
  readonly after: UsdText | null;
  readonly typicalRange: number | null;
}

function findInSession(bar: Bar, { before, after, typicalRange }: Surroundings): readonly BadTick[] {
  const settlements = [before, bar.settlement, after];
  // Without a settlement before it, only the open shows where the session began.
  const isOpenBad = before !== null && isFarBeyond(bar.open, settlements, typicalRange);
  const support = isOpenBad ? settlements : [...settlements, bar.open];
  return TRADED_PRICES.flatMap((field) => {
    const price = bar[field];
    const isBad = field === 'open' ? isOpenBad : isFarBeyond(price, support, typicalRange);
    return price !== null && isBad ? [{ date: bar.date, field, price }] : [];
  });
}

function isFarBeyond(price: UsdText | null, others: readonly (UsdText | null)[], typicalRange: number | null): boolean {
  if (price === null || typicalRange === null) return false;
  const known = others.flatMap((other) => (other === null ? [] : [Number(other)]));
  const nearest = Math.min(Math.max(Number(price), Math.min(...known)), Math.max(...known));
  const distance = Math.abs(Number(price) - nearest);
  return distance > LEAST_SHARE * Math.abs(nearest) && distance > LEAST_RANGES * typicalRange;
}

/** Returns null if too few sessions are near, or if they did not move. */
function toTypicalRange(index: number, daily: readonly Bar[]): number | null {
  const first = Math.max(1, index - NEIGHBOURS);
  const near = daily
    .slice(first, index + NEIGHBOURS + 1)
    .flatMap((bar, at) => (first + at === index ? [] : (toRange(bar, daily[first + at - 1]) ?? [])));
  const median = near.sort((a, b) => a - b)[Math.floor(near.length / 2)] ?? 0;
  return near.length < LEAST_NEIGHBOURS || median === 0 ? null : median;
}

/** Spans all prices of a session and both settlements, because an illiquid product may trade only once. */
function toRange({ high, low, settlement }: Bar, before: Bar | undefined): number | null {
  if (high === null || low === null) return null;
  const all = [high, low, settlement ?? low, before?.settlement ?? low].map(Number);
  return Math.max(...all) - Math.min(...all);
}

/** Removes bad ticks from sessions: each bar then ends at its other prices. Returns the same list if there are none. */
export function trimBadTicks(daily: readonly Bar[], badTicks: readonly BadTick[]): readonly Bar[] {
  if (badTicks.length === 0) return daily;
  const byDate = Map.groupBy(badTicks, ({ date }) => date);
  return daily.map((bar) => {
    const bad = byDate.get(bar.date);
    return bad === undefined ? bar : trim(bar, new Set(bad.map(({ field }) => field)));
  });
}

function trim(bar: Bar, bad: ReadonlySet<TradedPrice>): Bar {
  const [open, close] = [bad.has('open') ? bar.settlement : bar.open, bad.has('close') ? bar.settlement : bar.close];
  const good = [open, close, bar.settlement].flatMap((price) => price ?? []).sort(compareDecimalTexts);
  return {
    ...bar,
    open,
    close,
    high: bad.has('high') ? (good.at(-1) ?? null) : bar.high,
    low: bad.has('low') ? (good[0] ?? null) : bar.low,
  };
}
