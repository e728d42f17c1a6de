import { expect, it } from 'vitest';
import { page, userEvent, type Locator } from 'vitest/browser';
import type { Day } from '#contract/exchange/instant.ts';
import { addDays } from '#model/time/session.ts';
import { changing, toRows } from '#testing/component/change-answers.ts';
import { expectAccessible, expectToFit } from '#testing/component/looks.ts';
import { chart, choice, countPixels, findRows, legend, openPrice, session } from '#testing/component/price-page.ts';
import { expectCount, expectText, expectToContain, fileSavedBy, press, textsOf } from '#testing/component/screen.ts';

const FROM = '?range=3M';
const KEY = 'perpdesk.5614.drawings';

interface Kept {
  readonly kind: string;
  readonly points: readonly { readonly date: string; readonly ticks: number }[];
  readonly text: string;
}
const kept = (): readonly Kept[] =>
  (JSON.parse(localStorage.getItem(KEY) ?? '{"drawings":[]}') as { readonly drawings: readonly Kept[] }).drawings;
const main = (): Locator => page.getBySelector('main');
const dialog = (): Locator => page.getByRole('dialog', { name: /^Drawings on PBTCUCZ50/ });
const button = (name: string | RegExp): Locator => page.getByRole('button', { name });
const openList = async (): Promise<void> => choose(/^Drawings/);

async function choose(item: string | RegExp): Promise<void> {
  await button(/^Draw ▾|^Draw$/).click();
  await page.getByRole('menuitem', { name: item }).click();
}

/** Draws a horizontal line by keys, on the close of the last bar. */
async function drawLevel(): Promise<void> {
  await press('Alt+h');
  await expectToContain(main(), 'Horizontal line: click a point');
  await press('End', 'Enter');
  await expect.poll(() => kept().length).toBe(1);
}

const ACCENT = [11, 92, 173];
/** More than the outline of the session in progress, which has the same colour. */
const LINE_PX = 500;

/** Counts the pixels of the price pane that have the colour of drawings. */
const countInked = (): number => countPixels(ACCENT).reduce((sum, count) => sum + count, 0);

it('a line is drawn by keys, undone and drawn again, and stays on bars of other lengths', async () => {
  await openPrice(FROM);
  await drawLevel();
  const [line] = kept();
  await expect.poll(countInked).toBeGreaterThan(LINE_PX);
  await press('Control+z');
  await expect.poll(countInked).toBeLessThan(LINE_PX);
  expect(localStorage.getItem(KEY)).toBeNull();
  await press('Control+Shift+z');
  await expect.poll(kept).toEqual([line]);
  await choice('1W').click();
  await expect.poll(countInked).toBeGreaterThan(LINE_PX);
});

it('a level moves by ticks, and Escape draws nothing', async () => {
  await openPrice(FROM);
  await press('Alt+t');
  await expectToContain(main(), 'Trend line: click the first point');
  await press('End', 'ArrowUp', 'ArrowUp', 'Enter');
  await expectToContain(main(), 'click the second point');
  await press('ArrowLeft', 'ArrowLeft', 'Shift+ArrowDown', 'Enter');
  await expect.poll(() => kept().length).toBe(1);
  const [earlier, later] = kept()[0]?.points ?? [];
  // The second point is earlier, and ten ticks below the first.
  expect((later?.ticks ?? 0) - (earlier?.ticks ?? 0)).toBe(10);
  expect((earlier?.date ?? '') < (later?.date ?? '')).toBe(true);
  await press('Alt+h', 'Escape');
  await expect.element(button('Cancel')).not.toBeInTheDocument();
  expect(kept()).toHaveLength(1);
});

/** Finds the height of the horizontal line, which is the only one across the pane, in pixels from the top. */
const findLine = (): number => findRows(ACCENT, LINE_PX)[0] ?? NaN;

/** A line is in the middle of a tick, and a marked one is wider. */
const NEAR_PX = 5;

/** Drags with the left button from one place of the chart to another. */
async function drag(from: readonly [x: number, y: number], to: readonly [x: number, y: number]): Promise<void> {
  const at = ([x, y]: readonly [number, number]) => ({ x, y });
  await userEvent.dragAndDrop(chart(), chart(), { sourcePosition: at(from), targetPosition: at(to), steps: 5 });
}

/** Finds the words over the chart about the selected drawing. */
const selectedWords = (start: string): Locator => chart().getBySelector('div > p').filter({ hasText: start });
const ticksOfLine = (): number => kept()[0]?.points[0]?.ticks ?? NaN;

/** Opens the chart, waits until it has all that it reads, and draws a line, which is not selected. */
async function openLine(): Promise<void> {
  await openPrice(FROM);
  await expectText(legend(), /Open interest\s*\d/);
  await drawLevel();
  await press('Escape');
  await expectCount(selectedWords('Horizontal line at'), 0);
}

/** Waits until the line is painted, and returns its height. */
async function readLine(): Promise<number> {
  await new Promise(requestAnimationFrame);
  await new Promise(requestAnimationFrame);
  await expect.poll(findLine).toBeGreaterThan(0);
  return findLine();
}

const pointAt = (x: number): Promise<void> => userEvent.hover(chart(), { position: { x, y: 200 } });
const pointed = (): string => textsOf(session()).join();

it('a line is dragged by the pointer in whole ticks, as one step to undo, and the chart stays in place', async () => {
  await openLine();
  const [before, from] = [ticksOfLine(), await readLine()];
  // The keys have chosen the last bar.
  const last = pointed();
  await pointAt(400);
  await expect.poll(pointed).not.toBe(last);
  const at400 = pointed();
  await drag([400, from], [500, from + 60]);
  await expect.poll(() => Math.abs(findLine() - from - 60)).toBeLessThan(NEAR_PX);
  await expect.poll(ticksOfLine).toBeLessThan(before);
  const dragged = ticksOfLine();
  expect(Number.isInteger(dragged)).toBe(true);
  await pointAt(400);
  await expectText(session(), at400);
  await expectCount(selectedWords('Horizontal line at'), 1);
  await press('Control+z');
  await expect.poll(ticksOfLine).toBe(before);
  await expect.poll(() => Math.abs(findLine() - from)).toBeLessThan(NEAR_PX);
  await press('Control+Shift+z');
  await expect.poll(ticksOfLine).toBe(dragged);
});

it('a drawing is selected in the chart or from the list, moved by keys, deselected and deleted', async () => {
  await openPrice(FROM);
  await press('Alt+t');
  await expectToContain(main(), 'Trend line: click the first point');
  await press('End', 'Enter', 'ArrowLeft', 'ArrowLeft', 'Enter');
  await expect.poll(() => kept().length).toBe(1);
  const [earlier, later] = kept()[0]?.points ?? [];
  // A drawing that was just placed is selected.
  await press('ArrowUp', 'Shift+ArrowUp', 'ArrowLeft');
  await expect.poll(() => kept()[0]?.points[1]?.ticks).toBe((later?.ticks ?? NaN) + 11);
  expect(kept()[0]?.points[1]?.date).toBe(addDays(later?.date as Day, -1));
  expect(kept()[0]?.points[0]).toEqual({
    date: addDays(earlier?.date as Day, -1),
    ticks: (earlier?.ticks ?? NaN) + 11,
  });
  await expectCount(selectedWords('Trend line from'), 1);
  await press('Escape');
  await expectCount(selectedWords('Trend line from'), 0);
  await press('Delete');
  await openList();
  await button(/^Select in chart: Trend line/).click();
  await expectCount(selectedWords('Trend line from'), 1);
  await press('Backspace');
  await expect.poll(() => kept().length).toBe(0);
});

it('a click selects a line and beside it deselects, and the button over the chart deletes it', async () => {
  await openLine();
  const at = await readLine();
  await userEvent.click(chart(), { position: { x: 500, y: at } });
  await expectCount(selectedWords('Horizontal line at'), 1);
  await userEvent.click(chart(), { position: { x: 500, y: at > 150 ? at - 60 : at + 60 } });
  await expectCount(selectedWords('Horizontal line at'), 0);
  await userEvent.click(chart(), { position: { x: 500, y: at } });
  await button('Delete').click();
  await expect.poll(() => kept().length).toBe(0);
});
it('a measure is placed by the pointer, and the list has its figures', async () => {
  await openPrice(FROM);
  await choose('Measure');
  await userEvent.click(chart(), { position: { x: 300, y: 200 } });
  await expectToContain(main(), 'click the second point');
  await userEvent.click(chart(), { position: { x: 600, y: 80 } });
  await expect.poll(() => kept().length).toBe(1);
  await openList();
  await expectText(
    dialog().getBySelector('li small'),
    /^\+[\d,.]+ USD · \+[\d,]+ ticks · \+[\d.]+ % · \+[\d,.]+ % a year · (\d+) bars · \1 sessions · \1 days$/,
  );
});

it('a note takes words, and is changed in the list, where mistakes are named', async () => {
  await openPrice(FROM);
  await press('Alt+n');
  await expectToContain(main(), 'Note: click a point');
  await press('End', 'Enter');
  await page.getByRole('textbox', { name: /^Note on / }).fill('Wait for the expiry');
  await press('Enter');
  await expect.poll(() => kept()[0]?.text).toBe('Wait for the expiry');
  await openList();
  await expectToContain(dialog(), 'Wait for the expiry');
  await button(/^Edit: Note/).click();
  const price = page.getByRole('textbox', { name: 'Price in USD' });
  await price.fill('117,001');
  await button('Save').click();
  await expectToContain(dialog(), '“117,001” is not a price in whole ticks of 5 USD.');
  await price.fill('117,005');
  await page.getByRole('textbox', { name: 'Date' }).fill('2020-01-02');
  await page.getByRole('textbox', { name: 'Note', exact: true }).fill('Long ago');
  await button('Save').click();
  await expectToContain(dialog(), 'Note on 2 Jan 2020 at 117,005.00 USD: Long ago');
  await press('Escape');
  await expectToContain(main(), '1 drawing is outside of these bars.');
});

it('are saved to a file and read from one, unless it is of another product', async () => {
  await openPrice(FROM);
  await drawLevel();
  await openList();
  const { name, text } = await fileSavedBy(async () => button('Export to file').click());
  expect(name).toBe('perpdesk-drawings-PBTCUCZ50.json');
  const upload = (content: string): Promise<void> =>
    page.getByLabelText('Import from file').upload(new File([content], name, { type: 'application/json' }));
  await button('Delete all').click();
  await expectCount(dialog().getBySelector('li'), 0);
  await upload(text.replace('PBTCUCZ50', 'PETHUCZ50'));
  await expectToContain(
    dialog(),
    'Nothing was imported. These drawings are of PETHUCZ50, and this chart is of PBTCUCZ50.',
  );
  await upload(text);
  await expect.poll(() => textsOf(dialog().getBySelector('li')).length).toBe(1);
  await expect.poll(kept).toEqual((JSON.parse(text) as { readonly drawings: unknown }).drawings);
});

it('are refused where the tick size is in doubt', async () => {
  await openPrice(FROM, {
    change: changing(
      /\/desk\/products$/,
      toRows((row) => (row['product_id'] === 5614 ? { ...row, price_increment: 50 } : row)),
    ),
  });
  await press('Alt+h');
  await expectToContain(main(), 'no tick size of this product is confirmed by its prices. Nothing can be drawn.');
});

it('fit a phone and break no accessibility rule, in the chart and in the list', async () => {
  await openPrice(FROM);
  await drawLevel();
  await press('Alt+n');
  await expectToContain(main(), 'Note: click a point');
  await press('End', 'Enter');
  await expect.element(page.getByRole('textbox', { name: /^Note on / })).toBeVisible();
  await expectToFit(390, 1_440);
  await expectAccessible('main');
  await button('Cancel').click();
  await openList();
  await button(/^Edit: Horizontal/).click();
  await expectToFit(390, 1_440);
  await expectAccessible('[role=dialog]');
});
