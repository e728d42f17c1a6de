import { expect, it } from 'vitest';
import { DeskProducts } from '#contract/desk.ts';
import { createParser } from '#contract/parse.ts';
import { toDecimal } from '#domain/decimal.ts';
import { checkIncrement, type IncrementEvidence } from '#domain/increment-check.ts';
import { createTerms } from '#domain/orders/order-terms.ts';
import { readOrders, toRows } from '#testing/order-rows.ts';
import { explainCell } from './order-notes.ts';

const directory = { source: 'product/specs', read_at: '2026-08-17T00:00:00Z', products: [{ product_id: 1, symbol: 'GOOD', price_increment: 5, contract_size: 1 }] };
const products = createParser(DeskProducts, 'products').tolerant(JSON.stringify(directory)).value?.products ?? [];

it.each([
  ['500', 'holds within tolerance: ticks × increment is 1 of the venue’s own USD'],
  ['5', 'does not hold: 100 times the venue’s own USD'],
  [null, 'there is nothing to hold the increment against'],
  [undefined, 'not done: the venue’s own price in USD has not been read'],
] as const)('a price says whether its increment was checked: %s USD', (usd, told) => {
  const evidence: IncrementEvidence = { ticks: toDecimal('100'), usd: typeof usd === 'string' ? toDecimal(usd) : usd };
  const [row] = toRows(readOrders([{ product_id: 1 }]), createTerms(products, (product) => checkIncrement(product, evidence)));
  expect(row && explainCell(row, 'price')).toContainEqual({ name: 'Check', value: told });
});
