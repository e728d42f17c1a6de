import { joinFields } from '#contract/parse/json-split.ts';
import { cutRows, fieldOf } from '#contract/parse/row-texts.ts';
import { PRODUCT_ID_PATTERN } from '#contract/exchange/ids.ts';
import { type Change, fold, type Orders } from '../segment/change.ts';
import { decodeBook } from '../segment/block.ts';
import type { PriceReading, PriceSegment } from './price-store.ts';

/** The market prices of products: of each, what its product data say of them, as written, by product ID. */
export type Prices = Orders;

/** The two prices, of which the last trade counts if there was one. A reading is recorded where one of them changed. */
const PRICES = ['last_price', 'settlement_price'] as const;
/** With the prices, what shows whether they can be right. */
const FIELDS = ['last_price_time', 'last_price', 'settlement_time', 'settlement_price', 'high_price', 'low_price'];

/** Reads the prices from a response with the data of all products. Of two rows of a product, the last one counts. */
export function readPrices(text: string): Prices {
  const prices: Prices = new Map();
  for (const row of cutRows(text.slice(text.indexOf('[') + 1, text.lastIndexOf(']')))) {
    const id = fieldOf(row, 'product_id') ?? '';
    if (!PRODUCT_ID_PATTERN.test(id)) continue;
    prices.set(id, joinFields([['id', id], ...FIELDS.map((field) => [field, fieldOf(row, field) ?? 'null'] as const)]));
  }
  return prices;
}

/** Returns a price as the contract describes it. */
export function toRecordedPrice(row: string): string {
  return row.replace('"id":', '"product_id":');
}

/** Finds the products whose price differs, and those without a row. `from`: the reading before; null if there is none. */
export function comparePrices(before: Prices, now: Prices, { from, to }: Pick<Change, 'from' | 'to'>): Change[] {
  const changes: Change[] = [];
  for (const [id, row] of now) {
    const known = before.get(id);
    if (known === undefined) changes.push({ kind: 'seen', id, from, to, row });
    else if (hasNewPrice(known, row)) changes.push({ kind: 'changed', id, from, to, row });
  }
  for (const [id, row] of before) if (!now.has(id)) changes.push({ kind: 'gone', id, from, to, row });
  return changes;
}

function hasNewPrice(before: string, row: string): boolean {
  return before !== row && PRICES.some((field) => fieldOf(before, field) !== fieldOf(row, field));
}

/** Returns the prices of a segment at an instant. */
export function pricesOf({ blocks }: PriceSegment, instant: number): Prices {
  return new Map(blocks.flatMap((block) => [...decodeBook(block, instant)]));
}

export function applyReadings(prices: Prices, readings: readonly PriceReading[]): Prices {
  for (const { changes } of readings) fold(prices, changes);
  return prices;
}
