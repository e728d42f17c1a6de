import { expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { expectCount, expectToContain, filesSavedBy } from '#testing/component/screen.ts';
import { readCsv } from '#testing/read-csv.ts';
import { button, changing, openOrders, readWorking, WORKING, type Working } from '#testing/component/orders-page.ts';

const begin = () => page.getByRole('button', { name: /^Export [\d,]+ orders?$/ });

interface Exported {
  readonly names: readonly string[];
  /** The cells of each record by column. */
  readonly records: readonly ReadonlyMap<string, string>[];
  readonly columns: readonly string[];
  readonly statement: unknown;
}

async function exportAll(): Promise<Exported> {
  const [csv, statement] = await filesSavedBy(async () => {
    await button('Export').click();
    await begin().click();
  }, 2);
  const [columns = [], ...rows] = readCsv(csv?.text ?? '');
  const records = rows.map((row) => new Map(columns.map((column, index) => [column, row[index] ?? ''])));
  return {
    names: [csv?.name ?? '', statement?.name ?? ''],
    records,
    columns,
    statement: JSON.parse(statement?.text ?? ''),
  };
}

const idsOf = ({ records }: Exported): readonly string[] =>
  records.map((record) => record.get('order_id')?.replace(/^'/, '') ?? '');

test('only filtered orders are exported, and the report names the filters', async () => {
  await openOrders('?f=side:is:Bid&q=PBTCUCZ50');
  const wanted = (await readWorking()).orders
    .filter(({ side, symbol }) => side === 'Bid' && symbol === 'PBTCUCZ50')
    .map(({ id }) => id);
  const exported = await exportAll();
  expect(idsOf(exported).toSorted()).toEqual(wanted.toSorted());
  expect(exported.statement).toMatchObject({
    set: 'complete',
    filters: ['Side is Bid', 'Any column contains PBTCUCZ50'],
    exported_orders: 16,
    working_orders: 400,
    unproven: [],
  });
});

test('an export of figures only is chosen in the dialog and remembered, and no column of the full one is always empty', async () => {
  await openOrders();
  const full = await exportAll();
  expect(full.records).toHaveLength(400);
  expect(full.columns.filter((column) => full.records.every((record) => record.get(column) === ''))).toEqual([]);
  await button('Export').click();
  await page.getByRole('radio', { name: 'Figures only' }).click();
  await openOrders();
  const figures = await exportAll();
  expect(figures.columns.length).toBeLessThan(full.columns.length);
  for (const record of figures.records) {
    expect(record.get('responded_at')).toMatch(/Z$/);
    for (const column of ['order_id', 'account_id', 'clearing_firm_code', 'connection_id'])
      expect(record.get(column)).toMatch(/^'/);
  }
});

test('a failed export says why, and can be restarted', async () => {
  await openOrders();
  await button('Export').click();
  const create = vi.spyOn(URL, 'createObjectURL').mockImplementation(() => {
    throw new Error('There is no room for the file.');
  });
  await begin().click();
  await expectToContain(page.getByRole('dialog'), 'Export failed: There is no room for the file.');
  await expectCount(page.getByRole('progressbar'), 0);
  create.mockRestore();
  const [, statement] = await filesSavedBy(() => begin().click(), 2);
  expect(JSON.parse(statement?.text ?? '')).toMatchObject({ set: 'complete' });
  await expectCount(page.getByRole('dialog'), 0);
});

test('an export of a list that may lack orders is INCOMPLETE in its name, its rows and its report', async () => {
  await openOrders('', {
    change: changing(WORKING, (answer: Working) => ({
      ...answer,
      complete: false,
      unproven: ['One part was not read.'],
    })),
  });
  const { names, records, statement } = await exportAll();
  expect(names).toEqual([
    expect.stringMatching(/INCOMPLETE\.csv$/),
    expect.stringMatching(/INCOMPLETE\.completeness\.json$/),
  ]);
  expect(new Set(records.map((record) => record.get('set')))).toEqual(new Set(['INCOMPLETE']));
  expect(statement).toMatchObject({
    set: 'INCOMPLETE',
    exported_orders: 400,
    unproven: ['One part was not read.'],
    statement: expect.stringMatching(/^INCOMPLETE:/) as string,
  });
});
