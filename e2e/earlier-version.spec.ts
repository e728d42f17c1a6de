import { readFileSync } from 'node:fs';
import { expect, type Download, type Locator, type Page } from '@playwright/test';
import { test } from './watched-page.ts';

type Stored = Readonly<Record<string, string>>;

interface Parts {
  /** The address that it becomes. */
  readonly opened: string;
  /** The head of each column, its id first. */
  readonly columns?: readonly string[];
  readonly fields?: readonly string[];
  readonly [part: string]: unknown;
}

interface Look extends Parts {
  readonly address: string;
  /** Whether the tab had filters of its own. */
  readonly withTabStorage: boolean;
}

interface Exported {
  readonly file: string;
  readonly heading?: string;
  readonly keys?: readonly string[];
}

interface EarlierVersion {
  readonly localStorage: Stored;
  readonly sessionStorage: Stored;
  readonly ordersAddress: string;
  readonly viewsFile: string;
  readonly looks: readonly Look[];
  readonly exports: readonly { readonly address: string; readonly files: readonly Exported[] }[];
}

/**
 * What the version before left in a browser, how its screens looked at many addresses, and the first lines of its exports.
 * Dates move on by whole weeks, since the exchange of the tests has a past of two years only.
 */
const earlier = JSON.parse(shiftDates(readFileSync(new URL('earlier-version.json', import.meta.url), 'utf8'))) as EarlierVersion;

function shiftDates(json: string): string {
  const { madeOn } = JSON.parse(json) as { readonly madeOn: string };
  const week = 7 * 86_400_000;
  const shift = Math.floor((Date.now() - Date.parse(madeOn)) / week) * week;
  return json.replaceAll(/\b\d{4}-\d\d-\d\d(?!\d)/g, (date) => new Date(Date.parse(date) + shift).toISOString().slice(0, 10));
}

/** The first reader of a new desk waits until all settled rates have been read. */
const FIRST_READ = 90_000;

test.use({ viewport: { width: 1440, height: 900 }, colorScheme: 'light' });

async function store(page: Page, withTabStorage = false): Promise<void> {
  const stored = { local: earlier.localStorage, session: withTabStorage ? earlier.sessionStorage : {} };
  await page.addInitScript(({ local, session }) => {
    for (const [name, text] of Object.entries(local)) localStorage.setItem(name, text);
    for (const [name, text] of Object.entries(session)) sessionStorage.setItem(name, text);
  }, stored);
}

/** What that version did not have, and what is there besides. */
const NEWER = {
  panels: ['Predicted rate in this interval'],
  columns: ['percentile', 'estimate-form', 'excess'],
  choices: ['Prices in the chart'],
  buttons: ['Exposure', 'no longer working'],
  links: ['/rules'],
  radios: ['1y', '|Rate − interest|', 'Percentile', 'Predicted rate'],
};

/** By how addresses begin. Stored layouts keep them. */
const HIDDEN_SINCE: readonly (readonly [start: string, columns: readonly string[]])[] = [
  // Its layout of a custom window, which the version before had not stored.
  ['/funding?from=', ['form', 'sum-24h', 'sum-7d', 'sum-30d', 'sum-90d', 'deviation', 'positive', 'baseline', 'run']],
  ['/?type=future', ['funding', 'estimate', 'apr', 'boundary']],
];
const VIEWED_LAST = 'PSOLUSZ50';

/** The state of all controls, without the texts of any. */
function lookAt(page: Page): Promise<Readonly<Record<string, unknown>>> {
  return page.evaluate((newer) => {
    const isNewer = (element: HTMLElement): boolean => {
      const nameOf = (part: string, name: string): string => element.closest(part)?.querySelector(name)?.textContent ?? '';
      const isNewerRadio = element.matches('[type=radio]') && newer.radios.includes(element.closest('label')?.textContent ?? '');
      const isNewerButton = element.tagName === 'BUTTON' && newer.buttons.some((name) => element.textContent.endsWith(name));
      return isNewerRadio || isNewerButton || newer.panels.includes(nameOf('section', 'h2')) || newer.columns.includes(element.getAttribute('data-column') ?? '') || newer.choices.includes(nameOf('fieldset', 'legend'));
    };
    const all = (selector: string): readonly HTMLElement[] => [...document.querySelectorAll<HTMLElement>(selector)].filter((element) => element.checkVisibility() && !isNewer(element));
    const inputs = all('input:not([aria-hidden])').filter((element) => element instanceof HTMLInputElement);
    const radios = inputs.filter(({ type }) => type === 'radio');
    return {
      opened: location.pathname + location.search,
      title: document.title,
      theme: ['theme', 'palette', 'density'].map((name) => document.documentElement.getAttribute(`data-${name}`)),
      // In the heatmap, perpetuals are ordered by their rates.
      columns: all('[role=columnheader][data-column]').filter((head) => !/^[A-Z]/.test(head.getAttribute('data-column') ?? '')).map((head) => ['data-column', 'data-pin', 'aria-sort'].map((name) => head.getAttribute(name) ?? '').join(' ').trim()),
      selects: all('select').filter((element) => element instanceof HTMLSelectElement).map(({ value }) => value),
      radios: [...new Set(radios.map(({ name }) => name))].map((name) => radios.filter((radio) => radio.name === name).findIndex(({ checked }) => checked)),
      fields: inputs.filter(({ type }) => type !== 'radio' && type !== 'checkbox').map(({ value }) => value),
      checks: inputs.filter(({ type }) => type === 'checkbox').map(({ checked }) => checked),
      pressed: all('[aria-pressed]').filter((button) => button.closest('[role=row]') === null).map((button) => button.getAttribute('aria-pressed') === 'true'),
      panels: all('aside').length,
      tables: all('table').length,
      canvases: all('canvas').length > 0,
      links: all('header nav a').map((link) => link.getAttribute('href') ?? '').filter((address) => !newer.links.includes(address.split('?')[0] ?? '')),
    };
  }, NEWER);
}

/** What is elsewhere since: columns that a screen hides where nobody arranged them, codes in links, the product of a bare address, the space in a time. */
function toExpected({ checks, columns, fields, opened, ...look }: Parts, address: string): Parts {
  const hidden = HIDDEN_SINCE.find(([start]) => address.startsWith(start))?.[1] ?? [];
  return {
    ...look,
    opened: withProduct(opened),
    ...(fields !== undefined && { fields: fields.map((value) => value.replace(/^(\d{4}-\d\d-\d\d)T(?=\d\d:\d\d$)/, '$1 ')) }),
    ...(checks !== undefined && !address.startsWith('/orders/history') && { checks }),
    ...(columns !== undefined && { columns: columns.filter((column) => !hidden.includes(column.split(' ')[0] ?? '')) }),
  };
}

function withProduct(opened: string): string {
  return opened.replace(/^\/price(?=\?)/, `/price/${VIEWED_LAST}`).replace(/^\/volume\?(?!product|series)(.*)/, `/volume?$1&product=${VIEWED_LAST}`);
}

for (const { address, withTabStorage, ...look } of earlier.looks) {
  test(`opens as in the version before: ${address}`, async ({ page }) => {
    test.setTimeout(FIRST_READ + 30_000);
    await store(page, withTabStorage);
    await page.goto(address);
    await expect.poll(() => lookAt(page), { timeout: FIRST_READ }).toMatchObject(toExpected(look, address));
  });
}

test('columns are as wide as they were made', async ({ page }) => {
  test.setTimeout(FIRST_READ + 60_000);
  await store(page);
  for (const [address, widths] of [
    ['/', { symbol: 190, volumeUsd: 76 }],
    ['/funding', { settled: 118 }],
    ['/orders', { price: 156 }],
    ['/orders/history', { time: 204 }],
  ] as const) {
    await page.goto(address);
    for (const [column, width] of Object.entries(widths)) {
      await expect(page.locator(`[role=columnheader][data-column=${column}]`)).toHaveCSS('width', `${String(width)}px`, { timeout: FIRST_READ });
    }
  }
});

test('favourites and the product viewed last are known', async ({ page }) => {
  await store(page);
  await page.goto('/?only=favourites');
  const symbols = page.locator('[role=gridcell][data-column=symbol]');
  await expect(symbols).toHaveCount(3);
  expect((await symbols.allTextContents()).toSorted()).toEqual(['PBTCUCZ50', 'PETHUIZ50', 'PSOLUSZ50']);
  await page.goto('/price');
  await expect(page.getByRole('main')).toContainText('PSOLUSZ50');
});

test('keys without Ctrl stay off', async ({ page }) => {
  await store(page);
  await page.goto('/status');
  await expect(page.getByRole('heading').first()).toBeVisible();
  await page.keyboard.press('?');
  await page.getByRole('button', { name: 'Preferences' }).click();
  await expect(page.getByRole('dialog')).toHaveCount(1);
  const chosen = page.getByRole('dialog').getByRole('radio', { checked: true });
  await expect(chosen.nth(4)).toBeVisible();
  // Newer preferences follow.
  expect((await chosen.evaluateAll((radios) => radios.map((radio) => radio.closest('label')?.textContent))).slice(0, 5)).toEqual(['Dark', 'Blue / orange', 'Chicago', 'Compact', 'Off']);
});

const OWN = ['Account is HALC-101 or MERI-111', 'Clearing firm is HALC'];
const COLUMNS = ['side', 'product', 'account', 'type', 'price', 'remaining', 'filled', 'notional', 'avgPrice', 'firm', 'connection', 'status', 'age', 'time', 'lastModified', 'id', 'ack'];

for (const [name, filters, parts] of [
  ['Our own, partly filled', [...OWN, 'Working qty at least 2', 'Status is Partially filled or Working'], { group: 'account', sort: '-remaining' }],
  ['Partly', [...OWN, 'Status is Partially filled or Closed, partially filled'], { group: 'product', sort: null }],
  ['Prices withheld', [...OWN, 'Price is n/a'], { group: null, sort: 'product,-remaining' }],
] as const) {
  test(`the saved view “${name}” filters, sorts, groups and lays out as before, and names no account in the address`, async ({ page }) => {
    await store(page);
    await page.goto('/orders');
    await page.getByRole('button', { name: 'Views' }).click();
    await expect(page.getByRole('list', { name: 'Views' }).getByRole('listitem')).toHaveCount(3);
    await page.getByRole('dialog').getByRole('button', { name, exact: true }).click();
    await expect.poll(() => readFilters(page)).toEqual(filters);
    const { searchParams } = new URL(page.url());
    expect({ group: searchParams.get('group'), sort: searchParams.get('sort') }).toEqual(parts);
    expect(page.url()).not.toMatch(/HALC|MERI/);
    expect(searchParams.get('cols')?.split(/[,.]/).filter((id) => id !== '')).toEqual(COLUMNS);
  });
}

test('the filters of a tab are still there, and stay out of its address', async ({ page }) => {
  await store(page, true);
  await page.goto(earlier.ordersAddress);
  await expect.poll(() => readFilters(page)).toEqual([...OWN, 'Working qty at least 2', 'Status is Partially filled or Working']);
  expect(page.url()).not.toMatch(/HALC|MERI/);
});

/** The active filters, without the buttons' signs. */
function readFilters(page: Page): Promise<readonly string[]> {
  return page.getByRole('list', { name: 'Filters' }).getByRole('button', { name: /remove filter/ }).evaluateAll((buttons) => buttons.map((button) => button.textContent.replace(/×.*/, '')));
}

test('a file of saved views is read, and written in the same form', async ({ page }) => {
  await page.goto('/orders');
  await page.getByRole('button', { name: 'Views' }).click();
  await page.getByRole('button', { name: 'Save or manage…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Saved views' });
  await dialog.locator('input[type=file]').setInputFiles({ name: 'views.json', mimeType: 'application/json', buffer: Buffer.from(earlier.viewsFile) });
  await expect(dialog.getByRole('list', { name: 'Views' }).getByRole('listitem')).toHaveCount(3);
  const [file] = await Promise.all([page.waitForEvent('download'), dialog.getByRole('button', { name: /file/ }).first().click()]);
  expect(file.suggestedFilename()).toBe('perpdesk-order-views.json');
  expect(readFileSync(await file.path(), 'utf8')).toBe(earlier.viewsFile);
});

for (const { address, files } of earlier.exports) {
  test(`exports have the headings of the version before: ${address}`, async ({ page }) => {
    const downloads: Download[] = [];
    page.on('download', (download) => downloads.push(download));
    await page.goto(address);
    if (address.startsWith('/orders')) await exportOrders(page);
    else await pressEach(page, files.length);
    await expect.poll(() => downloads.length, { timeout: 30_000 }).toBe(files.length);
    const described = await Promise.all(downloads.map(describe));
    const sorted = described.toSorted((one, other) => (one.file < other.file ? -1 : 1));
    expect(sorted.map((file, at) => withoutNewer(file, files[at]))).toEqual(files);
  });
}

/** Columns may have been added, after those that programs know, and facts of a report. */
function withoutNewer({ heading, keys, ...file }: Exported, known: Exported | undefined): Exported {
  if (heading !== undefined) return { ...file, heading: heading.slice(0, known?.heading?.length) };
  return keys === undefined ? file : { ...file, keys: keys.filter((key) => known?.keys?.includes(key)) };
}

async function exportOrders(page: Page): Promise<void> {
  await expect(page.locator('[role=row][aria-rowindex="3"]')).toBeVisible({ timeout: 20_000 });
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: /^Export/ }).click();
}

async function pressEach(page: Page, count: number): Promise<void> {
  await expect.poll(async () => (await listButtons(page)).length, { timeout: 30_000 }).toBe(count);
  for (const button of await listButtons(page)) await button.click();
}

/** Newer files have buttons of their own. */
async function listButtons(page: Page): Promise<readonly Locator[]> {
  const buttons = await page.getByRole('button', { name: /CSV(?!, figures only)/ }).all();
  const panels = await Promise.all(buttons.map((button) => button.evaluate((element) => element.closest('section')?.querySelector('h2')?.textContent ?? '')));
  return buttons.filter((_, at) => !NEWER.panels.includes(panels[at] ?? ''));
}

async function describe(download: Download): Promise<Exported> {
  const text = readFileSync(await download.path(), 'utf8');
  const file = download.suggestedFilename().replaceAll(/\d{4}-\d\d-\d\d(?:T\d+Z)?/g, '…');
  if (file.endsWith('.json')) return { file, keys: Object.keys(JSON.parse(text) as object) };
  // The heatmap has a column for each funding time.
  return { file, heading: text.slice(0, text.indexOf('\r\n')).replaceAll(/(?:\d{4}-\d\d-\d\dT[\d:.]+Z,)+/g, '…,') };
}
