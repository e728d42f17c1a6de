import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect } from '@playwright/test';
import type { Download, Page } from '@playwright/test';
import { copySelection } from './copy-selection.ts';
import { readCsv } from '#testing/read-csv.ts';
import { takeExport } from './export-files.ts';
import { expectPriced, openOrders, orderGrid, readWorking, test } from './orders-desk.ts';

interface Files {
  readonly csv: Download;
  readonly statement: Readonly<Record<string, unknown>>;
}

async function exportAll(page: Page): Promise<Files> {
  const { csv, statement, read } = await takeExport(page, async () => {
    await page.getByRole('button', { name: 'Export' }).click();
    await page.getByRole('button', { name: /^Export [\d,]+ orders?$/ }).click();
  });
  return { csv, statement: JSON.parse(await read(statement)) as Files['statement'] };
}

/** Another CSV reader than ours. */
const PYTHON = 'import csv, json, sys; print(json.dumps(list(csv.DictReader(open(sys.argv[1], newline="", encoding="utf-8")))))';

function readByPython(path: string): readonly Readonly<Record<string, string>>[] {
  return JSON.parse(execFileSync('python3', ['-c', PYTHON, path], { encoding: 'utf8', maxBuffer: 1e9 })) as ReturnType<typeof readByPython>;
}

const WIRE: Readonly<Record<string, string>> = { price: 'price_ticks', avg_price: 'avg_price_ticks' };

test('an export matches the API response row by row, also for another CSV reader', async ({ page }) => {
  await openOrders(page);
  const { orders } = await readWorking(page);
  const { csv, statement } = await exportAll(page);
  const path = await csv.path();
  const records = readByPython(path);
  const [heading = [], ...rows] = readCsv(readFileSync(path, 'utf8'));
  expect(records.map((record) => Object.values(record))).toEqual(rows);
  expect(Object.keys(records[0] ?? {})).toEqual(heading);
  expect(records).toHaveLength(orders.length);
  const byId = new Map(records.map((record) => [record['id']?.replace(/^'/, ''), record]));
  for (const order of orders) {
    const record = byId.get(order.id) ?? {};
    const fields = Object.entries(order);
    expect(fields.map(([field]) => record[WIRE[field] ?? field]?.replace(/^'/, ''))).toEqual(fields.map(([, value]) => (value === null ? '' : String(value))));
    expect(Number(record['quantity_remaining'])).toBe(order.quantity_requested - order.quantity_filled);
  }
  expect(statement).toMatchObject({ set: 'complete', exported_orders: orders.length, working_orders: orders.length, unproven: [] });
  expect(records.every((record) => /^\d{4}-\d{2}-\d{2}T.*Z$/.test(record['answered_at'] ?? ''))).toBe(true);
});

test('only filtered orders are exported, and the report names the filters', async ({ page }) => {
  await openOrders(page, '?f=side:is:Bid&q=PBTCUCZ50');
  const { orders } = await readWorking(page);
  const wanted = orders.filter(({ side, symbol }) => side === 'Bid' && symbol === 'PBTCUCZ50').map(({ id }) => id);
  const { csv, statement } = await exportAll(page);
  const records = readByPython(await csv.path());
  expect(records.map(({ id }) => id?.replace(/^'/, '')).sort()).toEqual([...wanted].sort());
  expect(statement).toMatchObject({ filters: ['Side is Bid', 'Any column contains PBTCUCZ50'], exported_orders: wanted.length });
});

test('an export of figures only is chosen in the dialog and remembered, and no column of the full one is always empty', async ({ page }) => {
  await openOrders(page);
  await expectPriced(page);
  const full = readByPython(await (await exportAll(page)).csv.path());
  const columns = Object.keys(full[0] ?? {});
  expect(columns.filter((column) => full.every((record) => record[column] === ''))).toEqual([]);
  await page.getByRole('button', { name: 'Export' }).click();
  await page.getByRole('radio', { name: 'Figures only' }).check();
  await page.reload();
  await expect(orderGrid(page)).toBeVisible();
  const figures = readByPython(await (await exportAll(page)).csv.path());
  expect(Object.keys(figures[0] ?? {}).length).toBeLessThan(columns.length);
  expect(figures.every((record) => record['answered_at']?.endsWith('Z'))).toBe(true);
  for (const column of ['id', 'account_id', 'clearing_firm_code', 'connection_id']) expect(figures.every((record) => record[column]?.startsWith("'"))).toBe(true);
});

test('a failed export says why, and can be restarted', async ({ page }) => {
  await openOrders(page);
  await page.getByRole('button', { name: 'Export' }).click();
  await page.evaluate(() => {
    const give = URL.createObjectURL.bind(URL);
    URL.createObjectURL = () => {
      URL.createObjectURL = give;
      throw new Error('There is no room for the file.');
    };
  });
  const begin = page.getByRole('button', { name: /^Export [\d,]+ orders?$/ });
  await begin.click();
  await expect(page.getByRole('dialog')).toContainText('Export failed: There is no room for the file.');
  await expect(page.getByRole('progressbar')).toHaveCount(0);
  const { statement, read } = await takeExport(page, () => begin.click());
  expect(JSON.parse(await read(statement))).toMatchObject({ set: 'complete' });
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

test('the selection is copied as spreadsheet cells', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await openOrders(page);
  await page.keyboard.press('/');
  await page.keyboard.press('Enter');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Shift+ArrowDown');
  await page.keyboard.press('Shift+ArrowRight');
  await copySelection(page);
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toMatch(/^(Bid|Ask)\t\S+\n(Bid|Ask)\t\S+$/);
});
