import { MAX_OBSERVED_HOURS, type ObservedPrice } from '#contract/desk/journal.ts';
import { joinFields } from '#contract/parse/json-split.ts';
import { toRecordedPrice } from '#server/journal/prices/price-rows.ts';
import type { PriceReader } from '#server/journal/prices/read-prices.ts';
import { toInstant, toInstantOrNull } from '#server/core/to-instant.ts';
import { VenueFailure } from '#server/core/venue-failure.ts';
import type { Pairs } from '#server/core/order-rows.ts';
import { describeMissing, requireParameter } from './describe-journal.ts';

const HOUR_MS = 3_600_000;

/** A period in epoch milliseconds. */
interface Period {
  readonly from: number;
  readonly to: number;
}

/** Describes the market prices of a product over a period as readings showed them; prices are public. */
export async function describeObservedPrices(prices: PriceReader, query: Pairs, now: number): Promise<string> {
  const id = requireParameter(query, 'product_id');
  const period = toPeriod(query, now);
  const { observed, gaps, readBefore, readTo } = await observe(prices, id, period);
  const missing = readTo === null ? describeMissing(period.to, readBefore, await prices.keptFrom()) : null;
  const facts = JSON.stringify({
    read_to: toInstantOrNull(readTo),
    every_seconds: prices.everySeconds,
    missing,
    gaps: gaps.map(({ from, to }) => ({ from: toInstant(from), to: toInstant(to) })),
  });
  return `${facts.slice(0, -1)},"prices":[${observed.join(',')}]}`;
}

/** The end may be ahead: what is not over is read until now. */
function toPeriod(query: Pairs, now: number): Period {
  const [from, to] = [
    Date.parse(requireParameter(query, 'begin_time')),
    Date.parse(requireParameter(query, 'end_time')),
  ];
  if (to <= from || to - from > MAX_OBSERVED_HOURS * HOUR_MS)
    throw new VenueFailure({
      type: 'bad-parameter',
      detail: `end_time must be later than begin_time, by at most ${String(MAX_OBSERVED_HOURS)} hours.`,
      parameter: 'end_time',
    });
  return { from, to: Math.min(to, Math.max(now, from)) };
}

interface Observed {
  /** The texts of the prices. */
  readonly observed: string[];
  readonly gaps: Period[];
  /** The last reading until the beginning, however old. */
  readonly readBefore: number | null;
  readTo: number | null;
}

/** Collects the readings that show a new price or follow a gap. */
async function observe(prices: PriceReader, id: string, { from, to }: Period): Promise<Observed> {
  const before = await prices.at(from);
  const found: Observed = { observed: [], gaps: [], readBefore: before?.readAt ?? null, readTo: null };
  let row = before?.prices.get(id) ?? null;
  if (before !== null && from - before.readAt <= prices.maxAgeMs) {
    found.observed.push(toObserved(id, before.readAt, row));
    found.readTo = before.readAt;
  }
  for await (const { at, changes } of prices.between(from, to)) {
    const change = changes.find((each) => each.id === id);
    if (change !== undefined) row = change.kind === 'gone' ? null : change.row;
    const isAfterGap = noteGap(found, { from, to: at }, prices.maxAgeMs);
    if (isAfterGap || change !== undefined) found.observed.push(toObserved(id, at, row));
    found.readTo = at;
  }
  if (found.readTo !== null) noteGap(found, { from, to }, prices.maxAgeMs);
  return found;
}

/** Returns whether there was a gap between the last reading, or else the beginning, and a later time. */
function noteGap({ gaps, readTo }: Observed, { from, to }: Period, maxAgeMs: number): boolean {
  const isGap = readTo === null || to - readTo > maxAgeMs;
  if (isGap) gaps.push({ from: readTo ?? from, to });
  return isGap;
}

const NOTHING: Omit<ObservedPrice, 'read_at' | 'product_id'> = {
  last_price_time: null,
  last_price: null,
  settlement_time: null,
  settlement_price: null,
  high_price: null,
  low_price: null,
};

/** Product data that do not list the product show no price. */
function toObserved(id: string, readAt: number, row: string | null): string {
  const price = row === null ? JSON.stringify({ product_id: Number(id), ...NOTHING }) : toRecordedPrice(row);
  return `${joinFields([['read_at', JSON.stringify(toInstant(readAt))]]).slice(0, -1)},${price.slice(1)}`;
}
