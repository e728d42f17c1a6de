import { expect, type Page } from '@playwright/test';
import { expectPriceRead } from './price-page.ts';
import { signIn, test } from './people-desk.ts';

const KEY = 'perpdesk.5614.drawings';
/** The page reads what is saved after it has loaded everything else. */
const SOON = { timeout: 15_000 };

const chart = (page: Page) => page.getByRole('application', { name: /PBTCUCZ50/ });
const session = (page: Page) => page.getByTestId('legend').first().locator('dd').first();

async function openAs(page: Page, name: string): Promise<void> {
  await page.setViewportSize({ width: 1_440, height: 900 });
  await page.goto('/price/PBTCUCZ50?range=1M');
  await signIn(page, name);
  await expectPriceRead(page);
}

async function choose(page: Page, group: string, name: string): Promise<void> {
  await page.getByRole('group', { name: group, exact: true }).getByRole('radio', { name, exact: true }).click();
}

async function readTickSize(page: Page): Promise<number> {
  const { products } = (await (await page.request.get('/api/desk/products')).json()) as {
    readonly products: readonly { readonly product_id: number; readonly price_increment: number }[];
  };
  return products.find(({ product_id: id }) => id === 5_614)?.price_increment ?? NaN;
}

interface Kept {
  readonly date: string;
  readonly ticks: number;
}

/** Returns the place of the one drawing that this browser keeps. */
const readKept = (page: Page): Promise<Kept | undefined> =>
  page.evaluate(
    (key) =>
      (
        JSON.parse(localStorage.getItem(key) ?? '{"drawings":[{"points":[]}]}') as {
          readonly drawings: readonly { readonly points: readonly Kept[] }[];
        }
      ).drawings[0]?.points[0],
    KEY,
  );

interface Dot {
  readonly x: number;
  readonly y: number;
}

/** Finds the dot of a note in the price pane: the leftmost nine pixels together in the colour of drawings. */
const findDot = (page: Page): Promise<Dot | null> =>
  chart(page).evaluate((element) => {
    const accent = [11, 92, 173];
    const dots = [...element.querySelectorAll<HTMLCanvasElement>('tr:first-child td:nth-child(2) canvas')].flatMap(
      (canvas) => {
        const { width, height } = canvas;
        const { data } = canvas.getContext('2d')?.getImageData(0, 0, width, height) ?? { data: [] };
        const isInked = (x: number, y: number): boolean =>
          accent.every((part, index) => data[4 * (y * width + x) + index] === part);
        for (let x = 1; x < width - 1; x++)
          for (let y = 1; y < height - 1; y++)
            if ([-1, 0, 1].every((dx) => [-1, 0, 1].every((dy) => isInked(x + dx, y + dy)))) return [{ x, y }];
        return [];
      },
    );
    return dots[0] ?? null;
  });

const DAY_MS = 86_400_000;

function mondayOf(time: number): number {
  return time - ((new Date(time).getUTCDay() + 6) % 7) * DAY_MS;
}

/** Points at a place of the chart and returns the bar there. */
async function readAt(page: Page, position: Dot): Promise<string> {
  await chart(page).hover({ position });
  return session(page).innerText();
}

const readFirst = (page: Page): Promise<string> => readAt(page, { x: 5, y: 60 });
/** A week has its Monday, and how many sessions it has. */
const toTime = (bar: string): number => Date.parse(`${bar.split(',')[0] ?? ''} UTC`);

/** Expects the note on a bar and at its price, as the chart itself names the place where it is drawn. */
async function expectNote(page: Page, at: { readonly bar: number; readonly price: number }): Promise<void> {
  const readBar = async (): Promise<number> => {
    const dot = await findDot(page);
    return dot === null ? NaN : toTime(await readAt(page, dot));
  };
  await expect.poll(readBar, SOON).toBe(at.bar);
  await page.keyboard.press('a');
  await expect(page).toHaveURL(/\/rules\/new\?/);
  const proposed = Number(new URL(page.url()).searchParams.get('price'));
  // A pixel is many ticks.
  expect(Math.abs(proposed / at.price - 1)).toBeLessThan(0.01);
  await page.getByRole('link', { name: 'Back to the chart' }).click();
  await expectPriceRead(page);
}

test('what a person draws in one browser is in another, at its date and price, also among older bars and weeks', async ({
  page,
  strangersPage,
  people,
}) => {
  await people.add({ name: 'wanda', roles: ['operations'] });
  await openAs(page, 'wanda');
  await page.keyboard.press('Alt+n');
  await expect(chart(page).getByText('Note: click a point')).toBeVisible();
  await page.keyboard.press('End');
  for (let bar = 0; bar < 9; bar++) await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('Enter');
  await page.getByRole('textbox', { name: /^Note on / }).fill('Seen by both');
  await page.keyboard.press('Enter');
  await expect.poll(() => readKept(page)).toBeDefined();
  const kept = (await readKept(page)) ?? { date: '', ticks: NaN };
  await expect.poll(() => page.evaluate(() => localStorage.getItem('perpdesk.saved')), SOON).toContain('Seen by both');

  await openAs(strangersPage, 'wanda');
  await expect.poll(() => readKept(strangersPage), SOON).toEqual(kept);
  const price = kept.ticks * (await readTickSize(strangersPage));
  const day = Date.parse(kept.date);
  await expectNote(strangersPage, { bar: day, price });
  const first = toTime(await readFirst(strangersPage));
  await choose(strangersPage, 'Range', '3M');
  await expect.poll(async () => toTime(await readFirst(strangersPage)), SOON).toBeLessThan(first);
  await expectNote(strangersPage, { bar: day, price });
  await choose(strangersPage, 'Bars', '1W');
  await expect.poll(() => readFirst(strangersPage), SOON).toMatch(/, \d sessions?$/);
  await expectNote(strangersPage, { bar: mondayOf(day), price });
});
