import { expect, it } from 'vitest';
import type { Day } from '#contract/exchange/instant.ts';
import { DeskProducts } from '#contract/desk/desk.ts';
import { createParser } from '#contract/parse/parse.ts';
import type { IncrementCheck } from '#model/checks/judge-prices.ts';
import { createTerms } from '#model/orders/order-terms.ts';
import { readOrders, toRows } from '#testing/order-rows.ts';
import { explainCell } from './cell-provenance.ts';

const directory = {
  source: 'product/specs',
  read_at: '2026-08-17T00:00:00Z',
  products: [{ product_id: 1, symbol: 'GOOD', price_increment: 5, contract_size: 1 }],
};
const products = createParser(DeskProducts, 'products').tolerant(JSON.stringify(directory)).value?.products ?? [];

const comparison = { check: 'openInterestValue', passed: true, session: '2026-11-24' as Day, ratio: 1 } as const;
const off = {
  verdict: 'off',
  comparison: { ...comparison, passed: false, ratio: 0.01 },
  reason: 'It is off.',
} as const;

it.each<[IncrementCheck | null, string]>([
  [{ verdict: 'agrees', comparison, reason: null }, 'passed: settlement and open interest of 24 Nov 2026'],
  [
    off,
    'failed: ticks × tick size is 100 times the exchange’s own USD price; settlement and open interest of 24 Nov 2026',
  ],
  [{ verdict: 'unchecked', comparison: null, reason: null }, 'not possible: there is no USD price to compare with'],
  [
    { verdict: 'pending', comparison: null, reason: 'It has not been read.' },
    'not done yet: the exchange’s own USD price has not been read',
  ],
  [null, 'not done yet'],
])('the provenance of a price has the tick size check: %o', (check, text) => {
  const checks = check && { check, checks: { comparisons: [], reasons: new Map<never, never>() } };
  const [row] = toRows(
    readOrders([{ product_id: 1 }]),
    createTerms(products, () => checks),
  );
  expect(row && explainCell(row, 'price')).toContainEqual({ name: 'Tick size check', value: text });
});
