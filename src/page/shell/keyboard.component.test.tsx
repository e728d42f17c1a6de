import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { page, userEvent, type Locator } from 'vitest/browser';
import type { DeskStatus } from '#contract/desk/status.ts';
import { changing, toBody } from '#testing/component/change-answers.ts';
import { type Change, open } from '#testing/component/mount.tsx';
import { address, expectCount, expectToContain, press } from '#testing/component/screen.ts';

const dialog = (): Locator => page.getByRole('dialog');
const palette = (): Locator => page.getByRole('combobox', { name: 'Search products, screens and commands' });
const figure = (): Locator => page.getByRole('region', { name: 'Cache' }).getByRole('button').first();

async function switchSingleKeysOff(): Promise<void> {
  await press(',');
  await page.getByRole('group', { name: 'Single-key shortcuts' }).getByRole('radio', { name: 'Off' }).click();
  await press('Escape');
  await expectCount(dialog(), 0);
}

/** Collects announcements in order. */
function listen(): readonly (string | null)[] {
  const announced: (string | null)[] = [];
  const observer = new MutationObserver((changes) => {
    for (const { target, addedNodes } of changes)
      if (target instanceof Element && target.closest('[aria-live=polite]') !== null)
        announced.push(...[...addedNodes].map(({ textContent }) => textContent));
  });
  observer.observe(document.body, { childList: true, subtree: true });
  onTestFinished(() => {
    observer.disconnect();
  });
  return announced;
}

beforeEach(async () => {
  await open('/status');
  await expect.element(figure()).toBeVisible();
});

test('g and a letter open a screen, which has the focus and is announced by its name', async () => {
  const announced = listen();
  await press('g', 'v');
  await expect.poll(address).toMatch(/^\/volume\/\w+$/);
  await expect.element(page.getByRole('main')).toHaveFocus();
  expect(getComputedStyle(page.getByRole('main').element()).outlineStyle).toBe('none');
  await expect.poll(() => announced).toContain('Volume / OI');
});

test.each([
  ['m', 'Markets'],
  ['o', 'Working orders'],
  ['f', 'Funding of all perpetuals'],
])('after g and %s, the list has the focus, and the arrow keys work at once', async (key, name) => {
  await press('g', key);
  const list = page.getByRole('grid', { name, exact: true });
  await expect.element(list).toHaveFocus();
  const activeRow = (): number => {
    const active = document.getElementById(list.element().getAttribute('aria-activedescendant') ?? '');
    return Number(active?.closest('[role=row]')?.getAttribute('aria-rowindex'));
  };
  await expect.poll(activeRow).toBeGreaterThan(0);
  const before = activeRow();
  await press('ArrowDown');
  await expect.poll(activeRow).toBe(before + 1);
});

test('from all perpetuals to one is a change of screen: the focus moves to main and the name is announced again', async () => {
  const announced = listen();
  await press('g', 'f');
  await expect.poll(() => announced).toContain('Funding');
  const link = page
    .getByRole('grid', { name: 'Funding of all perpetuals' })
    .getByRole('link', { name: 'BTCUC', exact: true });
  await expect.element(link).toBeVisible();
  await link.click();
  // The link keeps the range of the comparison.
  await expect.poll(address).toBe('/funding/BTCUC?range=7d');
  await expect.element(page.getByRole('main')).toHaveFocus();
  await expect.poll(() => announced.filter((text) => text === 'Funding')).toHaveLength(2);
});

test('the command palette finds a product by part of its name, from anywhere', async () => {
  await press('Control+k');
  await expect.element(palette()).toHaveFocus();
  await userEvent.keyboard('pbtcuc');
  await expectCount(page.getByRole('option'), 1);
  await press('Enter');
  await expect.poll(address).toBe('/price/PBTCUCZ50');
  await expectCount(dialog(), 0);
  await expect.element(page.getByRole('main')).toHaveFocus();
});

test('the command palette lists screens, and says when there are no matches', async () => {
  await press('/');
  await expect.element(page.getByRole('option', { name: /Markets/ })).toHaveAttribute('data-highlighted');
  await press('ArrowDown', 'ArrowDown', 'Enter');
  await expect.poll(address).toMatch(/^\/curve\/\w+$/);
  await press('/');
  await expect.element(palette()).toHaveFocus();
  await userEvent.keyboard('no such thing');
  await expect.element(page.getByText('No matches for “no such thing”.')).toBeVisible();
});

test.each([
  ['/', 'futures', 'Type: Futures', () => address() === '/?type=future'],
  ['/funding', 'range 90d', 'Range: 90d', () => address() === '/funding?range=90d'],
  ['/funding', 'apy', 'Rate unit: APY', () => address() === '/funding?form=apy'],
  ['/status', 'theme dark', 'Theme: dark', () => document.documentElement.dataset['theme'] === 'dark'],
  ['/status', 'help', 'Keyboard shortcuts', () => dialog().query()?.textContent.includes('Go to') === true],
] as const)('at %s, the command palette finds “%s”, which acts', async (path, text, label, isDone) => {
  await open(path);
  await press('Control+k');
  await palette().fill(text);
  await page.getByRole('option', { name: label }).first().click();
  await expect.poll(isDone).toBe(true);
});

test('a product in the command palette has its last price and change, and an old one says so', async () => {
  const change = (isAway: boolean): Change =>
    changing(
      /\/desk\/status$/,
      toBody(({ venue, ...status }: DeskStatus) => ({
        ...status,
        venue: isAway
          ? { ...venue, circuit: 'open', last_failure: { at: status.now, type: 'venue-unreachable', detail: '' } }
          : venue,
      })),
    );
  for (const isAway of [false, true]) {
    await open('/price/PBTCUCZ50', { change: change(isAway) });
    await press('Control+k');
    const [first] = page.getByRole('option').elements();
    await expect
      .poll(() => first?.textContent)
      .toMatch(isAway ? /^PBTCUCZ50.*stale 109,235 −0\.87 %$/ : /^PBTCUCZ50.*\D109,235 −0\.87 %$/);
  }
});

test('Escape closes a dialog and returns the focus', async () => {
  const preferences = page.getByRole('button', { name: 'Preferences' });
  preferences.element().focus();
  for (const key of [',', '?', 'Control+k']) {
    await press(key);
    await expect.element(dialog()).toBeVisible();
    await press('Escape');
    await expectCount(dialog(), 0);
    await expect.element(preferences).toHaveFocus();
  }
});

test('i shows where a figure comes from; closing returns the focus', async () => {
  figure().element().focus();
  await press('i');
  for (const text of ['GET /api/desk/status', 'answers.miss']) await expectToContain(dialog(), text);
  await press('Escape');
  await expectCount(dialog(), 0);
  await expect.element(figure()).toHaveFocus();
});

test('single-key shortcuts can be switched off; those with Ctrl stay on', async () => {
  await switchSingleKeysOff();
  figure().element().focus();
  await press('?', 'g', 'v', 'i', 'Control+k');
  await expect.element(page.getByRole('dialog', { name: 'Search products, screens and commands' })).toBeVisible();
  expect(address()).toBe('/status');
  await press('Escape');
  await page.getByRole('button', { name: 'Preferences' }).click();
  await page.getByRole('button', { name: 'Keyboard shortcuts' }).click();
  await expectToContain(
    page.getByRole('dialog', { name: 'Keyboard shortcuts' }),
    'Search products, screens and commands',
  );
});

test.each([
  ['/', 'Markets', 'volumeUsd'],
  ['/orders', 'Working orders', 'price'],
])('at %s, the shortcuts of %s are listed, and its single keys can be switched off', async (path, name, column) => {
  await open(path);
  await press('?');
  const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await expect.element(sheet.getByRole('heading', { name: 'Grid' })).toBeVisible();
  for (const text of [
    'Search products, screens and commands',
    'Volume / OI',
    'Preferences',
    'Show where a figure comes from (also a click, or Ctrl+I)',
  ])
    await expect.element(sheet.getByText(text, { exact: true })).toBeVisible();
  await press('Escape');
  await switchSingleKeysOff();
  await page.getByRole('grid', { name }).getBySelector(`[role=gridcell][data-column="${column}"]`).first().click();
  await press('Escape');
  await expectCount(dialog(), 0);
  const before = address();
  await press('f', 'i', 'Control+i');
  await expectToContain(dialog(), 'Endpoint');
  expect(address()).toBe(before);
});
