import { readFile } from 'node:fs/promises';
import { expect } from '@playwright/test';
import { readFutures } from './listed-products.ts';
import { test } from './watched-page.ts';
import { exportAs } from './export-menu.ts';

test('volume of one product, of all expiries of its series, stacked, and saved as CSV', async ({ page }) => {
  const [front = ''] = await readFutures(page, 'BUS');
  await page.goto(`/volume/${front}`);
  await expect(page.getByRole('application', { name: new RegExp(front) })).toBeVisible();
  await page.getByRole('button', { name: 'All expiries of BUS' }).click();
  await expect(page.getByText(/Total of \d+ products, summed by the exchange\./)).toBeVisible();
  for (const name of ['1M', '1W', 'USD', 'Stacked'])
    await page
      .getByRole('group', { name: /Range|Bars|Unit|Show as/ })
      .getByRole('radio', { name, exact: true })
      .first()
      .check();
  await expect(page.getByText(/products, stacked\./)).toBeVisible();
  const [saved] = await Promise.all([page.waitForEvent('download'), exportAs(page, 'CSV, with sources')]);
  const [heading, ...lines] = (await readFile(await saved.path(), 'utf8')).split('\r\n').slice(0, -1);
  expect(heading).toMatch(/^date,/);
  expect(lines.length).toBeGreaterThan(3);
  await page.goBack();
  await expect(page).toHaveURL('/volume?series=BUS');
  await page.goBack();
  await expect(page).toHaveURL(`/volume/${front}`);
});
