import { expect, it } from 'vitest';
import type { OrderChange } from '#contract/desk/journal.ts';
import type { Instant } from '#contract/exchange/instant.ts';
import { toLifeChanges } from '../../orders/order-life.ts';
import { readCsv } from '#testing/read-csv.ts';
import { readOrders, toRows } from '#testing/order-rows.ts';
import { toLifeCsv } from './life-csv.ts';

it('each line is a change with the order as it was from then on, prices in ticks and USD', () => {
  const [row] = toRows(
    readOrders([{ product_id: 1, price: 125, avg_price: null, quantity_requested: 10, quantity_filled: 0 }]),
  );
  if (row === undefined) throw new Error('no row');
  const seen: OrderChange = {
    kind: 'seen',
    order_id: row.order.id,
    read_after: null,
    read_by: '2026-08-18T09:00:00Z' as Instant,
    fields: [],
    before: null,
    order: row.order,
  };
  const changes = toLifeChanges({ kept_from: null, read_to: null, before: null, changes: [seen] });
  const [heading = [], line = []] = readCsv(toLifeCsv('full', changes, row));
  expect(Object.fromEntries(line.map((field, index) => [heading[index], field]))).toMatchObject({
    order_id: `'${row.order.id}`,
    change: 'seen',
    read_after: '',
    read_by: '2026-08-18T09:00:00.000000000Z',
    since_previous_s: '',
    price_ticks: '125',
    price_usd: '6.25',
    avg_price_ticks: '',
    filled_quantity_contracts: '0',
    order_quantity_contracts: '10',
  });
  expect(readCsv(toLifeCsv('figures', changes, row))[0]).not.toContain('endpoint');
});
