import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { filesSavedBy } from '#testing/component/screen.ts';
import { readCsv } from '#testing/read-csv.ts';
import { openHistory, scrollToEnd } from '#testing/component/history-page.ts';
import { button } from '#testing/component/orders-page.ts';

test('an export of a list that is loaded to its end sends no request, unless a reload is chosen', async () => {
  const { queries } = await openHistory('?f=product:is:PBTCUCZ50');
  await scrollToEnd();
  const before = queries().length;
  const reloads = (): number =>
    queries()
      .slice(before)
      .filter((query) => query.get('limit') === '1000').length;
  for (const name of ['Export', 'Reload and export']) {
    const [csv, statement] = await filesSavedBy(async () => {
      await button('Export').click();
      await expect.element(page.getByText('No request: all 227 orders are loaded', { exact: false })).toBeVisible();
      await page.getByRole('dialog').getByRole('button', { name, exact: true }).click();
    }, 2);
    const rows = readCsv(csv?.text ?? '').slice(1);
    expect(new Set(rows.map(([id]) => id)).size).toBe(227);
    expect(reloads()).toBe(name === 'Export' ? 0 : 2);
    expect(JSON.parse(statement?.text ?? '')).toMatchObject({
      set: 'complete',
      exported_orders: 227,
      requests: reloads(),
      ended_because: 'the next page is empty',
    });
  }
});
