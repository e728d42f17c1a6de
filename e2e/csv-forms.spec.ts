import { readFile } from 'node:fs/promises';
import { expect, type Locator, type Page } from '@playwright/test';
import { readCsv } from '#testing/read-csv.ts';
import { test } from './watched-page.ts';

interface File {
  readonly name: string;
  readonly heading: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** Each saves at least one table. Addresses name no dated product. */
const SCREENS: readonly (readonly [path: string, files: number])[] = [
  ['/', 1],
  ['/price/PBTCUCZ50?vs=PETHUIZ50', 1],
  ['/volume?product=PBTCUCZ50', 1],
  ['/volume?series=BUS', 1],
  ['/volume?series=BUS&as=stacked', 1],
  ['/volume?product=PBTCUCZ50&bars=1W', 1],
  ['/funding?side=long', 4],
  ['/funding/BTCUC', 3],
];

const PROVENANCE = /^(?:endpoint|requests?|received_at|age_s|from|request_id)$|_wire$/;
/** Empty where all is well. */
const REASONS = /withheld|overdue|missing|because|fault|not_current|terms/;

for (const [path, count] of SCREENS) {
  test(`${path} saves each table with provenance or figures only, and the figures are the same`, async ({ page }) => {
    await page.goto(path);
    const lean = page.getByRole('button', { name: /CSV, figures only$/ });
    await expect(lean).toHaveCount(count);
    await expect(lean.first()).toBeEnabled();
    // A file has what has been read, and before all has, whole columns are empty.
    await expect(page.getByRole('columnheader', { description: 'Loading…' })).toHaveCount(0);
    await expect(page.getByRole('gridcell').filter({ hasText: /^…$/ })).toHaveCount(0);
    // Tick sizes have been checked: until then, no price in ticks is in USD.
    if (path === '/') await expect(page.getByText('PSHBUNZ50: USD prices withheld.')).toBeVisible();
    for (const button of await lean.all()) {
      const label = (await button.innerText()).replace(', figures only', '');
      const beside = button.locator('xpath=preceding-sibling::button[1]');
      await expect(beside).toHaveText(label);
      const [full, figures] = [await save(page, beside), await save(page, button)];
      expect(figures.name).toBe(full.name.replace(/\.csv$/, '-figures.csv'));
      expect(figures.rows.length).toBeGreaterThan(0);
      expect(figures.heading.filter((name) => PROVENANCE.test(name))).toEqual([]);
      const kept = figures.heading.map((name) => full.heading.indexOf(name));
      expect(kept).toEqual(kept.toSorted((a, b) => a - b));
      const empty = figures.heading.filter((name, at) => !REASONS.test(name) && figures.rows.every((row) => row[at] === ''));
      expect(empty).toEqual([]);
      // Predictions, the time that is left and the price of a running session go on between two files.
      if (path.startsWith('/volume') || path.startsWith('/price')) expect(settledOf(figures)).toEqual(settledOf(full).map((row) => kept.map((place) => row[place])));
    }
  });
}

function settledOf({ heading, rows }: File): readonly (readonly string[])[] {
  const bar = heading.indexOf('bar');
  return rows.filter((row) => row[bar] !== 'running session');
}

async function save(page: Page, button: Locator): Promise<File> {
  const [file] = await Promise.all([page.waitForEvent('download'), button.click()]);
  const [heading = [], ...rows] = readCsv(await readFile(await file.path(), 'utf8'));
  return { name: file.suggestedFilename(), heading, rows };
}
