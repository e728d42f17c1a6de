import { expect, test } from 'vitest';
import { page, type Locator } from 'vitest/browser';
import { open } from '#testing/component/mount.tsx';
import { expectCount, exportAs, fileSavedBy } from '#testing/component/screen.ts';
import { readCsv } from '#testing/read-csv.ts';

/** The number of tables that each screen saves. */
const SCREENS = [
  ['/', 1],
  ['/price/PBTCUCZ50?vs=PETHUIZ50', 1],
  ['/curve/BTC', 1],
  ['/volume/PBTCUCZ50', 1],
  ['/volume?series=BUS', 1],
  ['/volume?series=BUS&as=stacked', 1],
  ['/volume/PBTCUCZ50?bars=1W', 1],
  ['/funding?side=long', 4],
  ['/funding/BTCUC', 3],
] as const;

const PROVENANCE = /^(?:endpoint|request|received_at|age_s|source|request_id)$|_raw$/;
/** Columns that are empty if nothing is wrong and everything is open. */
const EXCEPTIONS = /opens_at|withheld|overdue|missing|because|fault|not_current|terms|doubt|basis/;

test.each(SCREENS)(
  '%s saves each table with provenance or figures only, and the figures are the same',
  async (path, count) => {
    await open(path);
    const menus = page.getByRole('button', { name: /^Export/ });
    await expect.poll(() => menus.elements().length).toBe(count);
    // Waits for the check of tick sizes: until then, no price in ticks is converted to USD.
    if (path === '/') await expect.element(page.getByText('1 product withheld')).toBeVisible();
    // Predicted rates are read a few at a time.
    await expectCount(page.getBySelector('[data-column^=estimate]').filter({ hasText: '…' }), 0);
    for (const menu of menus.all()) {
      const [full, figures] = [await save('CSV, with sources', menu), await save('CSV, figures only', menu)];
      expect(figures.name).toBe(full.name.replace(/\.csv$/, '-figures.csv'));
      expect(figures.rows.length).toBeGreaterThan(0);
      expect(figures.heading.filter((name) => PROVENANCE.test(name))).toEqual([]);
      const kept = figures.heading.map((name) => full.heading.indexOf(name));
      expect(kept).toEqual(kept.toSorted((a, b) => a - b));
      const empty = figures.heading.filter(
        (name, at) => !EXCEPTIONS.test(name) && figures.rows.every((row) => row[at] === ''),
      );
      expect(empty).toEqual([]);
      expect(figures.rows).toEqual(full.rows.map((row) => kept.map((place) => row[place])));
    }
  },
);

async function save(form: string, menu: Locator) {
  const { name, text } = await fileSavedBy(() => exportAs(form, menu));
  const [heading = [], ...rows] = readCsv(text);
  return { name, heading, rows };
}
