// Lists every text, title and accessible name of every screen, dialog and state, to be read as a whole in artifacts/words.txt,
// and holds them against words that the field does not use.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import { DIALECT } from './plain-words.ts';
import { toProblemResponse, UNREACHABLE } from './problem-response.ts';
import { test } from './watched-page.ts';
import { WORDS_FOLDER } from './collected-lists.ts';

test.use({ live: false });

test.use({ provoked: /./, viewport: { width: 1440, height: 900 }, contextOptions: { reducedMotion: 'reduce' } });

const SCREENS: Readonly<Record<string, string>> = {
  'Markets': '/',
  'Markets, no match': '/?q=nothing-like-it',
  'Price': '/price/PBTCUCZ50',
  'Price, table': '/price/PBTCUCZ50?view=table&range=1M',
  'Price, weekly': '/price/PBTCUCZ50?bar=week',
  'Price, compared': '/price/PBTCUCZ50?vs=PETHUIZ50&range=All',
  'Price, withheld': '/price/PSHBUNZ50',
  'Price, unknown product': '/price/NOSUCH',
  'Volume': '/volume?product=PBTCUCZ50',
  'Volume, series': '/volume?series=BUS&range=All',
  'Volume, stacked': '/volume?series=BUS&as=stacked&range=All',
  'Volume, unknown product': '/volume?product=NOSUCH',
  'Funding': '/funding',
  'Funding, three picked': '/funding?pick=BTCUC,ETHUI,SOLUS',
  'Funding, one perpetual': '/funding/BTCUC',
  'Funding, unknown perpetual': '/funding/NOSUCH',
  'Orders': '/orders',
  'Orders, no match': '/orders?q=nothing-like-it',
  'Orders, before the journal': '/orders?at=2020-01-01T00:00:00Z&with=2020-01-02T00:00:00Z',
  'Orders, at no time': '/orders?at=soon',
  'Order history': '/orders/history',
  'Order history, no match': '/orders/history?product=NOSUCH',
  'Life of an order, not in the journal': '/orders/life/1',
  'Rules': '/rules',
  'Rules, list': '/rules?show=rules',
  'Rules, calls': '/rules?show=calls',
  'Rules, form': '/rules/new',
  'Status': '/status',
  'No such screen': '/nowhere',
};

const DIALOGS = { 'Preferences': ',', 'Keys': '?', 'Command palette': 'Control+k' } as const;

const STATES = {
  'exchange unreachable': UNREACHABLE,
  'budget spent': toProblemResponse('budget-spent', 'The request budget is exhausted.', { retryAfter: 30 }),
  'key refused': toProblemResponse('key-refused', 'The key was refused.'),
  'response unreadable': { status: 200, contentType: 'application/json', body: '{"an": "object"}' },
} as const;

interface Collecting {
  readonly collectTexts: () => readonly string[];
}

test.beforeEach(async ({ context }) => {
  await context.addInitScript(() => {
    const attributes = ['title', 'aria-label', 'aria-description', 'aria-roledescription', 'aria-valuetext', 'placeholder', 'alt', 'data-tip'];
    // Rows of a list are alike: the first few are enough.
    const repeated = 'script, style, noscript, [role=row]:nth-child(n + 4) *, tbody tr:nth-child(n + 4) *, [role=option]:nth-child(n + 6)';
    const collectTexts = (): readonly string[] => {
      const found = [document.title];
      for (const element of document.querySelectorAll('body *')) {
        if (element.matches(repeated)) continue;
        for (const name of attributes) found.push(element.getAttribute(name) ?? '');
        const hasText = [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.nodeValue?.trim() !== '');
        if (hasText) found.push(element.textContent.slice(0, 600));
      }
      return found;
    };
    Object.assign(window, { collectTexts });
  });
});

async function collect(page: Page, words: Set<string>): Promise<void> {
  for (const text of await page.evaluate(() => (window as unknown as Collecting).collectTexts())) addTo(words, text);
}

/** Digits are left out, so that a text with figures is listed once. */
function addTo(words: Set<string>, text: string): void {
  const plain = text.replaceAll(/\s+/g, ' ').trim().replaceAll(/\d[\d,.:]*/g, '#');
  if (/\p{L}{2}/u.test(plain)) words.add(plain);
}

/** The screen has drawn what it has, and waits for nothing. */
async function open(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await expect(page.locator('main')).toBeVisible();
  await expect(page.locator('[aria-busy=true]').or(page.getByText(/^Loading/))).toHaveCount(0, { timeout: 20_000 });
}

/** Opens everything that opens by a press, one at a time. */
async function openEverything(page: Page, words: Set<string>): Promise<void> {
  const texts = await page.evaluate(async () => {
    const found: string[] = [];
    const isShown = (element: HTMLElement): boolean => element.checkVisibility() && !element.matches(':disabled');
    const openers = [...document.querySelectorAll<HTMLElement>('button[aria-haspopup=dialog], main button[aria-expanded=false], main summary')].filter(isShown);
    for (const opener of openers.slice(0, 25)) {
      opener.focus();
      opener.click();
      // Its code may have to load first.
      await new Promise((resolve) => setTimeout(resolve, 200));
      found.push(...((window as unknown as Collecting).collectTexts()));
      (document.activeElement ?? document.body).dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
      await new Promise((resolve) => requestAnimationFrame(resolve));
    }
    return found;
  });
  for (const text of texts) addTo(words, text);
}

/** Where the figures of the first row come from. */
async function explainFirstRow(page: Page, words: Set<string>): Promise<void> {
  const grid = page.getByRole('grid').first();
  if (!(await grid.isVisible())) return;
  await grid.focus();
  await page.keyboard.press('ArrowDown');
  for (let column = 0; column < 18; column++) {
    await page.keyboard.press('i');
    await page.waitForTimeout(50);
    await collect(page, words);
    await page.keyboard.press('Escape');
    await page.keyboard.press('ArrowRight');
  }
}

/** Adds the place to the list, and fails for words that do not belong on a screen. */
function finish(place: string, words: ReadonlySet<string>): void {
  mkdirSync(WORDS_FOLDER, { recursive: true });
  writeFileSync(join(WORDS_FOLDER, `${place}.txt`), [`## ${place}`, ...[...words].toSorted(), '', ''].join('\n'));
  expect(words.size).toBeGreaterThan(5);
  expect([...words].filter((text) => DIALECT.test(text))).toEqual([]);
}

for (const [place, address] of Object.entries(SCREENS)) {
  test(`the texts of ${place} are plain`, async ({ page }) => {
    const words = new Set<string>();
    await open(page, address);
    await collect(page, words);
    await explainFirstRow(page, words);
    await openEverything(page, words);
    finish(place, words);
  });
}

for (const [place, key] of Object.entries(DIALOGS)) {
  test(`the texts of ${place} are plain`, async ({ page }) => {
    const words = new Set<string>();
    await open(page, '/orders');
    await page.keyboard.press(key);
    await expect(page.getByRole('dialog')).toBeVisible();
    await collect(page, words);
    finish(place, words);
  });
}

for (const [state, response] of Object.entries(STATES)) {
  test(`the texts of screens with ${state} are plain`, async ({ page }) => {
    await page.route('**/api/**', (route) => route.fulfill(response));
    const words = new Set<string>();
    for (const [place, address] of Object.entries(SCREENS)) {
      if (place.includes(',')) continue;
      await page.goto(address);
      await expect(page.locator('main')).toBeVisible();
      await page.waitForTimeout(500);
      await collect(page, words);
    }
    finish(state, words);
  });
}
