import { readFile } from 'node:fs/promises';
import { expect } from '@playwright/test';
import { test } from './watched-page.ts';

const DATED = String.raw`\d{4}-\d\d-\d\d(?:-to-\d{4}-\d\d-\d\d)?-read-\d{8}T\d{6}Z\.png`;

/** Each file follows the exchange, whose name depends on the settings. */
const SCREENS: readonly (readonly [path: string, files: readonly string[]])[] = [
  ['/price/PBTCUCZ50', ['PBTCUCZ50-1D']],
  ['/volume?product=PBTCUCZ50&bars=1W', ['volume-PBTCUCZ50-1W']],
  ['/volume?series=BUS&as=stacked', ['volume-All-expiries-of-BUS-stacked']],
  ['/funding?pick=BTCUC&long=BTCUC&short=ETHUI', ['funding-rate-BTCUC', 'funding-heatmap-90', 'funding-spread-BTCUC-ETHUI']],
  ['/funding/BTCUC', ['funding-BTCUC-apr', 'predicted-rate-BTCUC']],
];

for (const [path, files] of SCREENS) {
  test(`pictures of ${path} name exchange, products, range and time of reading`, async ({ page, request }) => {
    const { venue } = (await (await request.get('/api/desk/status')).json()) as { readonly venue: { readonly name: string } };
    await page.goto(path);
    // The name of the exchange is part of the status, which the header shows.
    await expect(page.getByRole('banner')).toContainText(/Exchange \d\d:/);
    const buttons = page.getByRole('button', { name: 'PNG' });
    await expect(buttons).toHaveCount(files.length);
    for (const [at, file] of files.entries()) {
      const button = buttons.nth(at);
      await expect(button).toBeEnabled();
      const [saved] = await Promise.all([page.waitForEvent('download'), button.click()]);
      expect(saved.suggestedFilename()).toMatch(new RegExp(`^${venue.name.replaceAll(/[^\w.-]+/g, '-')}-${file}-${DATED}$`));
      expect((await readFile(await saved.path())).subarray(1, 4).toString()).toBe('PNG');
      await saved.saveAs(`e2e/artifacts/screens/picture-${file}.png`);
    }
  });
}
