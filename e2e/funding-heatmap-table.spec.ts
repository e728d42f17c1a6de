import { expect } from '@playwright/test';
import type { Locator, Page } from '@playwright/test';
import type { Funding, Print } from './funding-page.ts';
import { expectAccessible, expectToFit, inEachLook } from './looks.ts';
import { takeShot } from './take-shot.ts';
import { test } from './watched-page.ts';

test.use({ live: false });

const HOUR_MS = 3_600_000;

/** The heatmap and its table are grids of the same name. */
function gridOf(page: Page): Locator {
  return page.getByRole('grid', { name: 'Funding heatmap' });
}

/** By its place, newest first; only rows in view are rendered. */
function rowOf(page: Page, at: number): Locator {
  return gridOf(page).locator(`[role=row][aria-rowindex="${String(at + 2)}"]`);
}

async function openTable(page: Page, query: string): Promise<Funding> {
  const [response] = await Promise.all([page.waitForResponse(/\/api\/desk\/funding\?/), page.goto(`/funding?sort=symbol&${query}`)]);
  await expect(gridOf(page)).toBeVisible();
  const { perpetuals } = (await response.json()) as Funding;
  return { perpetuals: perpetuals.toSorted((a, b) => (a.base_symbol < b.base_symbol ? -1 : 1)) };
}

/** The expected text of a cell, computed independently. */
function toWords({ funding_rate: rate }: Print): string {
  const units = Math.round(Math.abs(rate) * 1e10);
  const percent = (Math.floor((units + 5_000) / 10_000) / 10_000).toFixed(4);
  const sign = Number(percent) === 0 ? '' : rate < 0 ? '−' : '+';
  return `${rate === 0 ? 'no payment' : rate < 0 ? 'shorts pay' : 'longs pay'} ${sign}${percent}`;
}

test('the heatmap is also available as a table, newest first, with only the rows in view rendered', async ({ page }) => {
  const { perpetuals } = await openTable(page, 'heat=270');
  await page.getByRole('region', { name: 'Funding heatmap' }).getByRole('button', { name: 'Table' }).click();
  await expect(page).toHaveURL(/map=table/);
  await expect(gridOf(page)).toHaveAttribute('aria-rowcount', '271');
  await expect(gridOf(page)).toHaveAttribute('aria-colcount', String(perpetuals.length + 1));
  for (const at of [0, 1, 2]) {
    const prints = perpetuals.map(({ prints: own }) => own[at]);
    await expect(rowOf(page, at).getByRole('gridcell')).toHaveText([/ UTC$/, ...prints.map((print) => (print === undefined ? '' : toWords(print)))]);
  }
  expect(await gridOf(page).getByRole('row').count()).toBeLessThan(80);
  await gridOf(page).focus();
  await page.keyboard.press('Control+End');
  await expect(rowOf(page, 269)).toBeInViewport();
  await page.getByRole('button', { name: 'Heatmap' }).click();
  await expect(gridOf(page)).toHaveAttribute('aria-colcount', '271');
});

test('a rate of the table shows its source, and a time all three time zones', async ({ page }) => {
  await openTable(page, 'map=table');
  await gridOf(page).focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('i');
  const note = page.getByRole('dialog');
  await expect(note).toContainText(/ UTC.* local.* Chicago/s);
  await page.keyboard.press('Escape');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Control+i');
  await expect(note).toContainText('prints.funding_rate');
  await expect(note).toContainText('Exchange responded');
  await expect(note).toContainText(/Data age when received\s*\d+ s/);
});

test('a day label that would be cut off is hidden', async ({ page }) => {
  // The only heatmap too wide for its screen.
  await page.setViewportSize({ width: 360, height: 740 });
  await openTable(page, 'heat=540');
  const scroller = gridOf(page).locator('xpath=ancestor::div[2]');
  const cut = (): Promise<readonly string[]> =>
    scroller.evaluate((element) => {
      const { left, right } = element.getBoundingClientRect();
      const names = element.querySelector('[role=rowheader]')?.getBoundingClientRect().width ?? 0;
      const days = [...element.querySelectorAll('[data-day]')].filter((day) => getComputedStyle(day).visibility === 'visible');
      if (days.length === 0) return ['no day label'];
      return days.flatMap((day) => {
        const box = day.getBoundingClientRect();
        return box.left < left + names - 1 || box.right > right + 1 ? [day.textContent] : [];
      });
    });
  // Each step cuts the first label at another place.
  for (const step of [0, 15, 15, 15, 15]) {
    await scroller.evaluate((element, by) => {
      element.scrollLeft -= by;
    }, step);
    await expect.poll(cut).toEqual([]);
  }
});

test('a click on a rate of the heatmap shows its source, and arrow keys go on', async ({ page }) => {
  await openTable(page, 'heat=90');
  const cell = gridOf(page).getByRole('gridcell');
  const newest = await cell.getAttribute('aria-colindex');
  const width = (await cell.boundingBox())?.width ?? 0;
  // The cell before the newest. In one step with finding the place, since what loads above the heatmap moves it.
  await cell.click({ position: { x: -width / 2, y: 10 }, force: true });
  await expect(page.getByRole('dialog')).toContainText('prints.funding_rate');
  await expect(cell).toHaveAttribute('aria-colindex', String(Number(newest) - 1));
  await expect(cell).toBeFocused();
  await page.keyboard.press('ArrowLeft');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(cell).toHaveAttribute('aria-colindex', String(Number(newest) - 2));
});

test('with single-key shortcuts off, Enter shows where a rate comes from', async ({ page }) => {
  await page.addInitScript(() => {
    localStorage.setItem('perpdesk.preferences', JSON.stringify({ version: 1, singleKeys: 'off' }));
  });
  await openTable(page, 'heat=90');
  await expect(gridOf(page)).toHaveAccessibleDescription(/Press Enter to see where a rate comes from/);
  await gridOf(page).getByRole('gridcell').focus();
  await page.keyboard.press('i');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog')).toContainText('prints.funding_rate');
});

test('focus stays on its heatmap cell when rows are reordered and intervals are added or removed', async ({ page }) => {
  const { perpetuals } = await openTable(page, 'heat=90');
  const [first = '', last = ''] = [perpetuals[0]?.base_symbol, perpetuals.at(-1)?.base_symbol];
  const focused = gridOf(page).locator('[role="gridcell"]:focus');
  const goTo = (query: string): Promise<void> =>
    page.evaluate((search) => {
      history.replaceState(null, '', search);
      dispatchEvent(new PopStateEvent('popstate'));
    }, query);
  // Not moved yet: on the newest interval of the first perpetual.
  await gridOf(page).getByRole('gridcell').focus();
  await goTo('?sort=-symbol&heat=90');
  await expect(gridOf(page).getByRole('row').first()).toContainText(last);
  await expect(focused).toHaveAttribute('aria-label', new RegExp(`^${first}, `));
  await page.keyboard.press('ArrowLeft');
  await expect(focused).toHaveAttribute('aria-colindex', '90');
  const stood = (await focused.getAttribute('aria-label')) ?? '';
  await goTo('?sort=-symbol&heat=270');
  await expect(gridOf(page)).toHaveAttribute('aria-colcount', '271');
  await expect(focused).toHaveAttribute('aria-colindex', '270');
  await expect(focused).toHaveAttribute('aria-label', stood);
  await page.keyboard.press('Home');
  await expect(focused).toHaveAttribute('aria-colindex', '2');
  // Its interval is gone: focus moves to the newest.
  await goTo('?sort=-symbol&heat=90');
  await expect(focused).toHaveAttribute('aria-colindex', '91');
});

test('cells name gaps, duplicates, overlaps and wrong lengths, and show rates off the scale', async ({ page }) => {
  await page.route(/\/api\/desk\/funding\?/, async (route) => {
    const response = await route.fetch();
    const body = (await response.json()) as Funding;
    const [first, ...rest] = body.perpetuals.toSorted((a, b) => (a.base_symbol < b.base_symbol ? -1 : 1));
    if (first === undefined) throw new Error('no perpetual');
    await route.fulfill({ response, json: { ...body, perpetuals: [{ ...first, prints: plant(first.prints) }, ...rest] } });
  });
  const { perpetuals } = await openTable(page, 'map=table');
  const [symbol = ''] = perpetuals.map(({ base_symbol }) => base_symbol);
  const place = (await gridOf(page).getByRole('columnheader').allInnerTexts()).findIndex((head) => head.startsWith(symbol));
  const cell = (at: number): Locator => rowOf(page, at).getByRole('gridcell').nth(place);
  await expect(cell(1)).toHaveText('shorts pay −0.5000');
  await expect(cell(2)).toHaveText('missing');
  await expect(cell(5)).toHaveText(/^duplicate: (longs pay|shorts pay|no payment) /);
  await expect(cell(7)).toHaveText(/^overlap: /);
  await expect(cell(8)).toHaveText(/^overlap: /);
  await expect(cell(12)).toHaveText('not 8 h');
  await cell(12).click();
  await page.keyboard.press('i');
  await expect(page.getByRole('dialog')).toContainText(/Fault: not 8 h/);
});

/** Newest first: the second is off the scale, the third missing, the sixth duplicated, one overlaps the eighth and ninth, the thirteenth lasts four hours. */
function plant(prints: readonly Print[]): readonly Print[] {
  const later = (instant: string): string => new Date(Date.parse(instant) + 4 * HOUR_MS).toISOString();
  return prints.flatMap((print, at) => {
    if (at === 1) return [{ ...print, funding_rate: -0.005 }];
    if (at === 2) return [];
    if (at === 5) return [print, print];
    if (at === 8) return [{ ...print, interval_start: later(print.interval_start), interval_end: later(print.interval_end) }, print];
    return at === 12 ? [{ ...print, interval_end: later(print.interval_start) }] : [print];
  });
}

test('the heatmap table does not scroll the page sideways in any look and has no accessibility violations', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await openTable(page, 'map=table&heat=270');
  await inEachLook(page, [[360, 740], [1440, 900]], async (look) => {
    await rowOf(page, 0).scrollIntoViewIfNeeded();
    await expect(rowOf(page, 0)).toBeInViewport();
    await takeShot(page, `funding-heat-table-${look.colorScheme}-${String(look.width)}`);
    await expectToFit(page, look);
    // All rows are alike: checking a few is as good as all, and much faster.
    await expectAccessible(page, look, { exclude: ['[role=row]:nth-child(n + 3)'], part: '[aria-label="Funding heatmap"]' });
  });
});
