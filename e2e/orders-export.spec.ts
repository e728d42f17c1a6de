import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect } from '@playwright/test';
import { parseInstant } from '#contract/exchange/instant.ts';
import { readCsv } from '#testing/read-csv.ts';
import { takeExport } from './export-files.ts';
import { openOrders, readWorking, test } from './orders-desk.ts';

/** A CSV reader that is not ours. */
const PYTHON =
  'import csv, json, sys; print(json.dumps(list(csv.DictReader(open(sys.argv[1], newline="", encoding="utf-8")))))';

function readByPython(path: string): readonly Readonly<Record<string, string>>[] {
  return JSON.parse(execFileSync('python3', ['-c', PYTHON, path], { encoding: 'utf8', maxBuffer: 1e9 })) as ReturnType<
    typeof readByPython
  >;
}

/** The column of each field that has another name in the file. */
const COLUMNS: Readonly<Record<string, string>> = {
  id: 'order_id',
  price: 'price_ticks',
  avg_price: 'avg_price_ticks',
  quantity_requested: 'order_quantity_contracts',
  quantity_filled: 'filled_quantity_contracts',
  time: 'accepted_at',
  last_modified: 'last_modified_at',
};
/** A file has times of one format, and the exchange has not. */
const toComparable = (text: string): unknown => parseInstant(text) ?? text;

test('an export matches the API response row by row, also for another CSV reader', async ({ page }) => {
  await openOrders(page);
  const { orders } = await readWorking(page);
  const { csv, statement, read } = await takeExport(page, async () => {
    await page.getByRole('button', { name: 'Export' }).click();
    await page.getByRole('button', { name: /^Export [\d,]+ orders?$/ }).click();
  });
  const path = await csv.path();
  const records = readByPython(path);
  const [heading = [], ...rows] = readCsv(readFileSync(path, 'utf8'));
  expect(records.map((record) => Object.values(record))).toEqual(rows);
  expect(Object.keys(records[0] ?? {})).toEqual(heading);
  expect(records).toHaveLength(orders.length);
  const byId = new Map(records.map((record) => [record['order_id']?.replace(/^'/, ''), record]));
  for (const order of orders) {
    const record = byId.get(order.id) ?? {};
    const fields = Object.entries(order);
    expect(fields.map(([field]) => toComparable(record[COLUMNS[field] ?? field]?.replace(/^'/, '') ?? ''))).toEqual(
      fields.map(([, value]) => toComparable(value === null ? '' : String(value))),
    );
    expect(Number(record['working_quantity_contracts'])).toBe(order.quantity_requested - order.quantity_filled);
  }
  expect(JSON.parse(await read(statement))).toMatchObject({
    set: 'complete',
    exported_orders: orders.length,
    working_orders: orders.length,
    unproven: [],
  });
  expect(
    records.every((record) => /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{9}Z$/.test(record['responded_at'] ?? '')),
  ).toBe(true);
});
