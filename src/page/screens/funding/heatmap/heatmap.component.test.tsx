import { expect, it } from 'vitest';
import { page, type Locator } from 'vitest/browser';
import { open } from '#testing/component/mount.tsx';
import {
  address,
  expectCount,
  expectText,
  expectToContain,
  exportAs,
  exportMenu,
  press,
  textsOf,
} from '#testing/component/screen.ts';
import {
  cellOf,
  changePrints,
  expectDescription,
  figureNote,
  focusOn,
  heatmap,
  plantFaults,
  showColumns,
} from '#testing/component/funding-page.ts';

/** Returns the only real cell: the newest interval of the first perpetual, until another is chosen. */
const cell = (): Locator => heatmap().getByRole('gridcell');
/** Returns a row of the table, counted from the newest; only rows in view are rendered. */
const rowOf = (at: number): Locator => heatmap().getBySelector(`[role=row][aria-rowindex="${String(at + 2)}"]`);

async function focusCell(): Promise<void> {
  await focusOn(cell());
  await expect.element(cell()).toHaveFocus();
}

async function expectPlace(column: number, name: string | RegExp): Promise<void> {
  await expect.element(cell()).toHaveFocus();
  await expect.element(cell()).toHaveAttribute('aria-colindex', String(column));
  await expect
    .element(cell())
    .toHaveAttribute('aria-label', typeof name === 'string' ? name : expect.stringMatching(name));
}

it('has all its cells within reach of the keyboard, each named by its rate', async () => {
  await open('/funding?heat=270&sort=symbol');
  await expectDescription(
    heatmap(),
    /^17 perpetuals over 270 intervals, .* Longs paid in [\d,]+ of [\d,]+ settled intervals.*Arrow keys move between cells\. Press I to see/,
  );
  await expect.element(heatmap()).toHaveAttribute('aria-colcount', '271');
  await focusCell();
  await expectPlace(271, 'ADAUK, 2026-08-17 08:00:00 UTC, +0.0100 % per 8 h, longs pay shorts');
  await press(...Array<string>(7).fill('ArrowDown'));
  await expectPlace(271, 'ETHUI, 2026-08-17 08:00:00 UTC, −0.0237 % per 8 h, shorts pay longs');
  await press('Home');
  await expectPlace(2, /^ETHUI, 2026-05-19 16:00:00 UTC, /);
  await expect.element(cell()).toBeInViewport();
  await press('ArrowRight');
  await expectPlace(3, /^ETHUI, 2026-05-20 00:00:00 UTC, /);
  await press('Control+End');
  await expectPlace(271, /^XTZUK, /);
  await press('Control+Home', 'End', 'i');
  await expectToContain(figureNote(), 'prints.funding_rate');
});

it.each(['90', '270'])('shows all %s intervals side by side at 1440 px', async (heat) => {
  await open(`/funding?heat=${heat}`);
  await expect.element(heatmap()).toHaveAttribute('aria-colcount', String(Number(heat) + 1));
  const scroller = heatmap().element().parentElement?.parentElement;
  await expect.poll(() => (scroller?.scrollWidth ?? NaN) - (scroller?.clientWidth ?? NaN)).toBeLessThanOrEqual(1);
  await focusCell();
  await press('Home');
  await expect.element(cell()).toBeInViewport({ ratio: 0.9 });
});

it('is also a table, newest first, with only the rows in view rendered', async () => {
  await open('/funding?heat=270&sort=symbol');
  await exportAs('Table', exportMenu('heatmap'));
  await expect.poll(address).toContain('map=table');
  await expect.element(heatmap()).toHaveAttribute('aria-rowcount', '271');
  await expect.element(heatmap()).toHaveAttribute('aria-colcount', '18');
  // In alphabetical order, AVEUS is the second perpetual and ETHUI the eighth.
  const newest = ['2026-08-17 08:00:00 UTC', ...Array<string>(17).fill('longs pay +0.0100')]
    .with(2, 'longs pay +0.0227')
    .with(8, 'shorts pay −0.0237');
  await expect.poll(() => textsOf(rowOf(0).getByRole('gridcell'))).toEqual(newest);
  expect(heatmap().getByRole('row').elements().length).toBeLessThan(80);
  await focusOn(heatmap());
  await press('Control+End');
  await expect.element(rowOf(269)).toBeInViewport();
  await page.getByRole('button', { name: 'Heatmap', exact: true }).click();
  await expect.element(heatmap()).toHaveAttribute('aria-colcount', '271');
});

it('shows in its table the source of a rate, and a time in all three time zones', async () => {
  await open('/funding?map=table&sort=symbol');
  await focusOn(heatmap());
  await press('ArrowDown', 'i');
  await expect.poll(() => textsOf(figureNote()).join()).toMatch(/ UTC.* local.* Chicago/s);
  await press('Escape', 'ArrowRight', 'Control+i');
  for (const words of ['prints.funding_rate', 'Exchange responded', 'Data age when received'])
    await expectToContain(figureNote(), words);
});

it('shows the source of the rate that is clicked, and arrow keys go on from there', async () => {
  await open('/funding?heat=90&sort=symbol');
  await expect.element(cell()).toBeVisible();
  const { width } = cell().element().getBoundingClientRect();
  // Clicks the cell before the newest.
  await cell().click({ position: { x: -width / 2, y: 10 }, force: true });
  await expectToContain(figureNote(), 'prints.funding_rate');
  await expectPlace(90, /^ADAUK, 2026-08-17 00:00:00 UTC, /);
  await press('ArrowLeft');
  await expectCount(figureNote(), 0);
  await expectPlace(89, /^ADAUK, /);
});

it('shows with Enter where a rate comes from while single-key shortcuts are off', async () => {
  localStorage.setItem('perpdesk.preferences', JSON.stringify({ version: 1, singleKeys: 'off' }));
  await open('/funding?heat=90&sort=symbol');
  await expectDescription(heatmap(), /Press Enter to see where a rate comes from/);
  await focusCell();
  await press('i');
  await expectCount(figureNote(), 0);
  await press('Enter');
  await expectToContain(figureNote(), 'prints.funding_rate');
});

it('keeps focus on its cell while rows are reordered and intervals are added or removed', async () => {
  await open('/funding?heat=90&sort=symbol');
  const goTo = (query: string): void => {
    history.replaceState(null, '', query);
    dispatchEvent(new PopStateEvent('popstate'));
  };
  await focusCell();
  goTo('?sort=-symbol&heat=90');
  await expectToContain(heatmap().getByRole('row').first(), 'XTZUK');
  await expectPlace(91, /^ADAUK, /);
  await press('ArrowLeft');
  await expectPlace(90, /^ADAUK, 2026-08-17 00:00:00 UTC, /);
  goTo('?sort=-symbol&heat=270');
  await expect.element(heatmap()).toHaveAttribute('aria-colcount', '271');
  await expectPlace(270, /^ADAUK, 2026-08-17 00:00:00 UTC, /);
  await press('Home');
  await expectPlace(2, /^ADAUK, /);
  // The cell's interval is gone, so the focus moves to the newest.
  goTo('?sort=-symbol&heat=90');
  await expectPlace(91, /^ADAUK, /);
});

it('names gaps, duplicates, overlaps and wrong lengths, which the comparison lists and excludes from sums', async () => {
  showColumns(['sum-7d', 'coverage', 'gaps']);
  await open('/funding?sort=symbol', { change: changePrints('ADAUK', plantFaults) });
  await expectText(cellOf('ADAUK', 'coverage'), '19 of 21');
  await expectText(cellOf('ADAUK', 'gaps'), '2 · 3 faults');
  // Of the last 21 intervals, one is missing and one is too short. Each of the others counts once.
  await expectText(cellOf('ADAUK', 'sum-7d'), '+0.3708');
  await page.getByText(/faults in the exchange’s funding history/).click();
  for (const words of [
    /1 interval missing/,
    /reported 2 times/,
    /overlaps the previous interval/,
    /4 h instead of 8 h/,
  ])
    await expect.element(page.getByRole('listitem').filter({ hasText: words }).first()).toBeVisible();
  await focusCell();
  await press('ArrowLeft', 'ArrowLeft');
  await expectPlace(89, /missing: the exchange reports no settled rate/);
  await exportAs('Table', exportMenu('heatmap'));
  const ofFirst = (at: number): Locator => rowOf(at).getByRole('gridcell').nth(1);
  for (const [at, text] of [
    [1, 'shorts pay −0.5000'],
    [2, 'missing'],
    [5, /^duplicate: longs pay /],
    [7, /^overlap: /],
    [8, /^overlap: /],
    [12, 'not 8 h'],
  ] as const)
    await expectText(ofFirst(at), text);
  await ofFirst(12).click();
  await press('i');
  await expect.poll(() => textsOf(figureNote()).join()).toMatch(/Fault:? not 8 h/);
});
