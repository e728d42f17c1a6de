// Writes every text, title and accessible name of every screen, dialog and state to artifacts/words.txt, to be read as a
// list, and holds them against the words that nobody in the field uses.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import { toProblemResponse, UNREACHABLE } from './problem-response.ts';
import { test } from './watched-page.ts';

test.use({ provoked: /./ });
test.setTimeout(600_000);

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
  'Order history': '/orders/history',
  'Order history, no match': '/orders/history?product=NOSUCH',
  'Status': '/status',
  'No such screen': '/nowhere',
};

const STATES = {
  'exchange unreachable': UNREACHABLE,
  'budget spent': toProblemResponse('budget-spent', 'The request budget is spent.', { retryAfter: 30 }),
  'key refused': toProblemResponse('key-refused', 'The key was refused.'),
  'response unreadable': { status: 200, contentType: 'application/json', body: '{"an": "object"}' },
} as const;

/** A word nobody in the field uses on a screen, and what only a person does. */
const DIALECT = /\b(tell|tells|told|teller|hear|heard|asked|asks|of late|somebody|nobody|complain\w*|believed)\b/i;

const words = new Map<string, Set<string>>();

/** Digits are left out, so that a text with figures is listed once. */
async function collect(page: Page, place: string): Promise<void> {
  const texts = await page.evaluate(() => {
    const found: string[] = [];
    const attributes = ['title', 'aria-label', 'aria-description', 'aria-roledescription', 'aria-valuetext', 'placeholder', 'alt', 'data-tip'];
    for (const element of document.querySelectorAll('body *')) {
      if (element.matches('script, style, noscript')) continue;
      // Rows of a list are alike: the first few are enough.
      if (element.closest('[role=row]:nth-child(n + 4), tbody tr:nth-child(n + 4), [role=option]:nth-child(n + 6)') !== null) continue;
      for (const name of attributes) found.push(element.getAttribute(name) ?? '');
      const hasText = [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.nodeValue?.trim() !== '');
      if (hasText) found.push(element.textContent.slice(0, 600));
    }
    return [document.title, ...found];
  });
  const list = words.get(place) ?? new Set<string>();
  for (const text of texts) {
    const plain = text.replaceAll(/\s+/g, ' ').trim().replaceAll(/\d[\d,.:]*/g, '#');
    if (/\p{L}{2}/u.test(plain)) list.add(plain);
  }
  words.set(place, list);
}

async function settle(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle').catch(() => undefined);
  await expect(page.locator('main')).toBeVisible();
}

/** Opens everything that opens by a press, one at a time, and what `i` says of the first cells of a grid. */
async function openEverything(page: Page, place: string): Promise<void> {
  const openers = page.locator('button[aria-haspopup=dialog], main button[aria-expanded=false], main summary');
  const count = Math.min(await openers.count(), 25);
  for (let index = 0; index < count; index++) {
    const opener = openers.nth(index);
    if (!(await opener.isVisible().catch(() => false)) || !(await opener.isEnabled().catch(() => false))) continue;
    await opener.click({ timeout: 2_000 }).catch(() => undefined);
    await page.waitForTimeout(300);
    await collect(page, place);
    await page.keyboard.press('Escape');
  }
  const grid = page.getByRole('grid').first();
  if (!(await grid.isVisible().catch(() => false))) return;
  await grid.focus();
  await page.keyboard.press('ArrowDown');
  for (let column = 0; column < 18; column++) {
    await page.keyboard.press('i');
    await page.waitForTimeout(60);
    await collect(page, place);
    await page.keyboard.press('Escape');
    await page.keyboard.press('ArrowRight');
  }
}

test('every text is in the list, and none is dialect', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  for (const [place, address] of Object.entries(SCREENS)) {
    await page.goto(address);
    await settle(page);
    await collect(page, place);
    await openEverything(page, place);
  }
  for (const [dialog, key] of Object.entries({ Preferences: ',', Keys: '?', 'Command palette': 'Control+k' })) {
    await page.goto('/orders');
    await settle(page);
    await page.keyboard.press(key);
    await page.waitForTimeout(800);
    await collect(page, dialog);
  }
  for (const [state, response] of Object.entries(STATES)) {
    await page.route('**/api/**', (route) => route.fulfill(response));
    for (const [place, address] of Object.entries(SCREENS)) {
      if (place.includes(',')) continue;
      await page.goto(address);
      await settle(page);
      await collect(page, `${place}: ${state}`);
    }
    await page.unroute('**/api/**');
  }
  const list = [...words].flatMap(([place, texts]) => [`## ${place}`, ...[...texts].toSorted(), '']);
  const folder = join(import.meta.dirname, 'artifacts');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'words.txt'), `${list.join('\n')}\n`);
  expect(words.size).toBe(Object.keys(SCREENS).length + 3 + Object.keys(STATES).length * Object.keys(SCREENS).filter((place) => !place.includes(',')).length);
  expect(list.filter((text) => DIALECT.test(text))).toEqual([]);
});
