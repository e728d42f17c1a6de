import { expect, it } from 'vitest';
import { DeskProducts } from '#contract/desk.ts';
import { createParser } from '#contract/parsing/parse.ts';
import { toDecimal } from '#domain/units/decimal.ts';
import { checkIncrement, type IncrementEvidence } from '#domain/markets/increment-check.ts';
import { createTerms } from '#domain/orders/order-terms.ts';
import { readOrders, toRows } from '#testing/order-rows.ts';
import { explainCell } from './cell-provenance.ts';

const directory = { source: 'product/specs', read_at: '2026-08-17T00:00:00Z', products: [{ product_id: 1, symbol: 'GOOD', price_increment: 5, contract_size: 1 }] };
const products = createParser(DeskProducts, 'products').tolerant(JSON.stringify(directory)).value?.products ?? [];

it.each([
  ['500', 'passed, by order of magnitude only: ticks × tick size is 1 times the exchange’s own USD price'],
  ['5', 'failed: ticks × tick size is 100 times the exchange’s own USD price'],
  [null, 'not possible: there is no price to compare with'],
  [undefined, 'not done yet: the exchange’s own USD price has not been read'],
] as const)('the provenance of a price has the tick size check: %s USD', (usd, check) => {
  const evidence: IncrementEvidence = { ticks: toDecimal('100'), usd: typeof usd === 'string' ? toDecimal(usd) : usd };
  const [row] = toRows(readOrders([{ product_id: 1 }]), createTerms(products, (product) => checkIncrement(product, evidence)));
  expect(row && explainCell(row, 'price')).toContainEqual({ name: 'Tick size check', value: check });
});
