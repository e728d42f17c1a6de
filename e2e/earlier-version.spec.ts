import { readFileSync } from 'node:fs';
import { expect, type Download, type Locator, type Page } from '@playwright/test';
import { earlierBrowserToday, type Exported, type Parts, renameColumns } from '#testing/earlier-version/browser.ts';
import { test } from './watched-page.ts';

const earlier = earlierBrowserToday();

/** The first page of a new server waits until all settled rates have been read. */
const FIRST_READ = 90_000;

test.use({ viewport: { width: 1440, height: 900 }, colorScheme: 'light' });

async function store(page: Page): Promise<void> {
  await page.addInitScript(
    ({ local, session }) => {
      for (const [name, text] of Object.entries(local)) localStorage.setItem(name, text);
      for (const [name, text] of Object.entries(session)) sessionStorage.setItem(name, text);
    },
    { local: earlier.localStorage, session: earlier.sessionStorage },
  );
}

/** What the earlier version did not have and is now there in addition. */
const NEWER = {
  panels: ['Predicted rate in this interval'],
  columns: ['percentile', 'zscore', 'estimate-form', 'excess', 'underlying', 'oiUsd'],
  choices: ['Prices in the chart'],
  buttons: ['Exposure', 'no longer working'],
  links: ['/curve', '/rules'],
  radios: ['1y', 'Distance from interest rate', 'Percentile', 'Z-score', 'Predicted rate', 'In contracts', 'In USD'],
  fields: ['Filter by symbol, name or underlying', 'Watchlist'],
};

/** How the comparison of perpetuals differs since then. */
const COMPARISON = {
  start: '/funding?from=',
  /** Stored layouts keep these columns, but the earlier version had not stored that of a custom window. */
  hidden: [
    'form',
    'elapsed',
    'next',
    'sum-24h',
    'sum-7d',
    'sum-30d',
    'sum-90d',
    'deviation',
    'positive',
    'baseline',
    'run',
  ],
  /** The rank and what it ranks by are beside the name. */
  pinned: ['rank', 'premium'],
  /** The chart of rates is below the heatmap, and has the rate unit of the screen instead of one of its own. */
  radios: [0, 4, 1, 1, 0, 0],
};

/** Returns the state of all controls, without their texts. */
function lookAt(page: Page): Promise<Readonly<Record<string, unknown>>> {
  return page.evaluate((newer) => {
    const isNewer = (element: HTMLElement): boolean => {
      const nameOf = (part: string, name: string): string =>
        element.closest(part)?.querySelector(name)?.textContent ?? '';
      const isNewerRadio =
        element.matches('[type=radio]') && newer.radios.includes(element.closest('label')?.textContent ?? '');
      const isNewerButton =
        element.tagName === 'BUTTON' && newer.buttons.some((name) => element.textContent.endsWith(name));
      return (
        isNewerRadio ||
        isNewerButton ||
        newer.panels.includes(nameOf('section', 'h2')) ||
        newer.columns.includes(element.getAttribute('data-column') ?? '') ||
        newer.fields.includes(element.getAttribute('aria-label') ?? '') ||
        newer.choices.includes(nameOf('fieldset', 'legend'))
      );
    };
    const all = (selector: string): readonly HTMLElement[] =>
      [...document.querySelectorAll<HTMLElement>(selector)].filter(
        (element) => element.checkVisibility() && !isNewer(element),
      );
    const inputs = all('input:not([aria-hidden])').filter((element) => element instanceof HTMLInputElement);
    const radios = inputs.filter(({ type }) => type === 'radio');
    return {
      opened: location.pathname + location.search,
      title: document.title,
      theme: ['theme', 'palette', 'density'].map((name) => document.documentElement.getAttribute(`data-${name}`)),
      // The heatmap orders perpetuals by their rates.
      columns: all('[role=columnheader][data-column]')
        .filter((head) => !/^[A-Z]/.test(head.getAttribute('data-column') ?? ''))
        .map((head) =>
          ['data-column', 'data-pin', 'aria-sort']
            .map((name) => head.getAttribute(name) ?? '')
            .join(' ')
            .trim(),
        ),
      selects: all('select')
        .filter((element) => element instanceof HTMLSelectElement)
        .map(({ value }) => value),
      radios: [...new Set(radios.map(({ name }) => name))].map((name) =>
        radios.filter((radio) => radio.name === name).findIndex(({ checked }) => checked),
      ),
      fields: inputs.filter(({ type }) => type !== 'radio' && type !== 'checkbox').map(({ value }) => value),
      checks: inputs.filter(({ type }) => type === 'checkbox').map(({ checked }) => checked),
      pressed: all('[aria-pressed]')
        .filter((button) => button.closest('[role=row]') === null)
        .map((button) => button.getAttribute('aria-pressed') === 'true'),
      panels: all('aside').length,
      tables: all('table').length,
      canvases: all('canvas').length > 0,
      links: all('header nav a')
        .map((link) => link.getAttribute('href') ?? '')
        .filter((address) => !newer.links.includes(address.split('?')[0] ?? '')),
    };
  }, NEWER);
}

/** Adjusts for what has changed since: the comparison of perpetuals, codes in links, the space in a time. */
function toExpected({ checks, fields, ...look }: Parts, address: string): Parts {
  return {
    ...look,
    ...(fields !== undefined && {
      fields: fields.map((value) => value.replace(/^(\d{4}-\d\d-\d\d)T(?=\d\d:\d\d$)/, '$1 ')),
    }),
    ...(checks !== undefined && !address.startsWith('/orders/history') && { checks }),
    ...(address.startsWith(COMPARISON.start) && { columns: toCompared(look.columns), radios: COMPARISON.radios }),
  };
}

/** Returns the headers of the comparison: pinned ones first, without those that are hidden since. */
function toCompared(headers: Parts['columns'] = []): readonly string[] {
  const isOf = (header: string, ids: readonly string[]): boolean => ids.includes(header.split(' ')[0] ?? '');
  const shown = headers
    .filter((header) => !isOf(header, COMPARISON.hidden))
    .map((header) => (isOf(header, COMPARISON.pinned) ? header.replace('  ', ' start ') : header));
  const isPinned = (header: string): boolean => header.includes(' start');
  return [...shown.filter(isPinned), ...shown.filter((header) => !isPinned(header))];
}

/** The meaning of each address and of each stored text is tested where it is read. */
const SHOWN = ['/funding?from=', '/orders/history?from=', earlier.ordersAddress];

test('screens, columns and filters are as in the version before', async ({ page }) => {
  test.setTimeout(FIRST_READ + 60_000);
  await store(page);
  for (const start of SHOWN) {
    const {
      address,
      withTabStorage: _,
      ...look
    } = earlier.looks.find((one) => one.address.startsWith(start)) ?? {
      address: '',
      withTabStorage: false,
      opened: '',
    };
    await page.goto(address);
    await expect.poll(() => lookAt(page), { timeout: FIRST_READ }).toMatchObject(toExpected(look, address));
  }
  await expect
    .poll(() => readFilters(page))
    .toEqual([
      'Account is HALC-101 or MERI-111',
      'Clearing firm is HALC',
      'Working qty at least 2',
      'Status is Partially filled or Working',
    ]);
  expect(page.url()).not.toMatch(/HALC|MERI/);
  await expect(page.locator('[role=columnheader][data-column=price]')).toHaveCSS('width', '156px');
});

/** Returns the active filters, without the buttons' signs. */
function readFilters(page: Page): Promise<readonly string[]> {
  return page
    .getByRole('list', { name: 'Filters' })
    .getByRole('button', { name: /remove filter/ })
    .evaluateAll((buttons) => buttons.map((button) => button.textContent.replace(/×.*/, '')));
}

test('exports have the columns of the version before, under the names of today', async ({ page }) => {
  const { address, files } = earlier.exports.find((one) => one.address.startsWith('/funding?')) ?? {
    address: '',
    files: [],
  };
  const downloads: Download[] = [];
  page.on('download', (download) => downloads.push(download));
  await page.goto(address);
  await pressEach(page, files.length);
  await expect.poll(() => downloads.length, { timeout: 30_000 }).toBe(files.length);
  const described = await Promise.all(downloads.map(describe));
  const sorted = described.toSorted((one, other) => (one.file < other.file ? -1 : 1));
  expect(sorted.map(({ file }) => file)).toEqual(files.map(({ file }) => file));
  for (const [at, { heading = '' }] of files.entries())
    expect(sorted[at]?.heading?.split(',')).toEqual(expect.arrayContaining([...renameColumns(heading, 'Funding')]));
});

async function pressEach(page: Page, count: number): Promise<void> {
  await expect.poll(async () => (await listMenus(page)).length, { timeout: 30_000 }).toBe(count);
  for (const menu of await listMenus(page)) {
    await menu.click();
    await page.getByRole('menuitem', { name: 'CSV, with sources' }).click();
  }
}

/** Lists the menus of exports. Newer files have additional ones. */
async function listMenus(page: Page): Promise<readonly Locator[]> {
  const menus = await page.getByRole('button', { name: /^Export/ }).all();
  const panels = await Promise.all(
    menus.map((menu) => menu.evaluate((element) => element.closest('section')?.querySelector('h2')?.textContent ?? '')),
  );
  return menus.filter((_, at) => !NEWER.panels.includes(panels[at] ?? ''));
}

async function describe(download: Download): Promise<Exported> {
  const text = readFileSync(await download.path(), 'utf8');
  const file = download.suggestedFilename().replaceAll(/\d{4}-\d\d-\d\d(?:T\d+Z)?/g, '…');
  // The heatmap has a column for each funding time.
  return { file, heading: text.slice(0, text.indexOf('\r\n')).replaceAll(/(?:\d{4}-\d\d-\d\dT[\d:.]+Z,)+/g, '…,') };
}
