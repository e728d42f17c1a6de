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
  const { observed, gaps, readTo } = await observe(prices, id, period);
  const missing =
    readTo === null
      ? describeMissing(period.to, (await prices.at(period.from))?.readAt ?? null, await prices.keptFrom())
      : null;
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

/** Collects the readings that show a new price or follow a gap. */
async function observe(prices: PriceReader, id: string, { from, to }: Period) {
  const before = await prices.at(from);
  const isKnown = before !== null && from - before.readAt <= prices.maxAgeMs;
  const observed: string[] = [];
  const gaps: Period[] = [];
  let row = before?.prices.get(id) ?? null;
  let last = isKnown ? before.readAt : null;
  if (isKnown) observed.push(toObserved(id, before.readAt, row));
  for await (const { at, changes } of prices.between(from, to)) {
    const change = changes.find((each) => each.id === id);
    if (change !== undefined) row = change.kind === 'gone' ? null : change.row;
    const isAfterGap = last === null || at - last > prices.maxAgeMs;
    if (isAfterGap) gaps.push({ from: last ?? from, to: at });
    if (isAfterGap || change !== undefined) observed.push(toObserved(id, at, row));
    last = at;
  }
  if (last !== null && to - last > prices.maxAgeMs) gaps.push({ from: last, to });
  return { observed, gaps, readTo: last };
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
