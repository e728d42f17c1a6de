import { expect } from '@playwright/test';
import { takeShot } from './take-shot.ts';
import { test } from './watched-page.ts';

test.use({ live: false });

test.beforeEach(async ({ page }) => {
  await page.goto('/status');
  await expect(page.getByRole('heading', { name: 'Request budget' })).toBeVisible();
});

test('g and a letter open a screen and announce its name', async ({ page }) => {
  await page.keyboard.press('g');
  await page.keyboard.press('v');
  await expect(page).toHaveURL(/\/volume\?product=\w+$/);
  await expect(page.getByRole('main')).toBeFocused();
  await expect(page.locator('[aria-live=polite]').filter({ hasText: /^Volume \/ OI$/ })).toHaveCount(1);
});

test('from all perpetuals to one is a change of screen: the focus moves to main and the name is announced again', async ({ page }) => {
  await page.clock.install();
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Request budget' })).toBeVisible();
  const announced: string[] = [];
  await page.exposeFunction('record', (text: string) => announced.push(text));
  await page.locator('[aria-live=polite]').evaluate((region) => {
    new MutationObserver((changes) => {
      for (const { addedNodes } of changes) for (const node of addedNodes) (window as unknown as { record: (text: string) => void }).record(node.textContent ?? '');
    }).observe(region, { childList: true, subtree: true });
  });
  await page.keyboard.press('g');
  await page.keyboard.press('f');
  await expect.poll(() => announced).toEqual(['Funding']);
  // Of the messages during the pause after it only the last is announced.
  await page.clock.runFor(3_000);
  await page.getByRole('grid', { name: 'Funding of all perpetuals' }).getByRole('link', { name: 'BTCUC', exact: true }).click();
  await expect(page).toHaveURL('/funding/BTCUC');
  await expect(page.getByRole('main')).toBeFocused();
  await expect.poll(() => announced.filter((text) => text === 'Funding')).toHaveLength(2);
});

test('the command palette finds a product by part of its name, from anywhere', async ({ page }) => {
  await page.keyboard.press('Control+k');
  const input = page.getByRole('combobox', { name: 'Search products, screens and commands' });
  await expect(input).toBeFocused();
  await page.keyboard.type('pbtcuc');
  await expect(page.getByRole('option')).toHaveCount(1);
  await takeShot(page, 'palette-light-1280');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/price\/\d+$/);
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(page.getByRole('main')).toBeFocused();
});

test('the command palette lists screens, and says when there are no matches', async ({ page }) => {
  await page.keyboard.press('/');
  await expect(page.getByRole('option', { name: /Markets/ })).toHaveAttribute('data-highlighted');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/volume\?product=\w+$/);
  await page.keyboard.press('/');
  await page.keyboard.type('no such thing');
  await expect(page.getByText('No matches for “no such thing”.')).toBeVisible();
});

test('Escape closes a dialog and returns the focus', async ({ page }) => {
  const preferences = page.getByRole('button', { name: 'Preferences' });
  await preferences.focus();
  for (const key of [',', '?', 'Control+k']) {
    await page.keyboard.press(key);
    await expect(page.getByRole('dialog')).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toBeHidden();
    await expect(preferences).toBeFocused();
  }
});

test('the list of shortcuts shows those that apply', async ({ page }) => {
  await page.keyboard.press('?');
  const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  for (const text of ['Search products, screens and commands', 'Volume / OI', 'Preferences']) await expect(sheet.getByText(text, { exact: true })).toBeVisible();
  await takeShot(page, 'keys-light-1280');
});

test('i shows where a figure comes from; closing returns the focus', async ({ page }) => {
  const figure = page.getByRole('region', { name: 'Cache' }).getByRole('button').first();
  await figure.focus();
  await page.keyboard.press('i');
  const tooltip = page.getByRole('dialog');
  await expect(tooltip).toContainText('GET /api/desk/status');
  await expect(tooltip).toContainText('answers.miss');
  await takeShot(page, 'provenance-light-1280');
  await page.keyboard.press('Escape');
  await expect(tooltip).toBeHidden();
  await expect(figure).toBeFocused();
});

test('single-key shortcuts can be switched off; those with Ctrl stay on', async ({ page }) => {
  await page.keyboard.press(',');
  await page.getByRole('group', { name: 'Single-key shortcuts' }).getByRole('radio', { name: 'Off' }).check();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();
  await page.getByRole('region', { name: 'Cache' }).getByRole('button').first().focus();
  for (const key of ['?', 'g', 'v', 'i']) await page.keyboard.press(key);
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('dialog', { name: 'Search products, screens and commands' })).toBeVisible();
  await expect(page).toHaveURL('/status');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Preferences' }).click();
  await page.getByRole('button', { name: 'Keyboard shortcuts' }).click();
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toContainText('Search products, screens and commands');
});

for (const { path, name } of [
  { path: '/', name: 'Markets' },
  { path: '/orders', name: 'Working orders' },
]) {
  test(`${name}: its shortcuts are listed, and its single keys can be switched off`, async ({ page }) => {
    await page.goto(path);
    const grid = page.getByRole('grid', { name });
    await expect(grid).toBeVisible();
    await page.keyboard.press('?');
    const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await expect(sheet.getByRole('heading', { name: 'Grid' })).toBeVisible();
    await expect(sheet.getByText('Show where a figure comes from (also a click, or Ctrl+I)')).toBeVisible();
    await page.keyboard.press('Escape');
    await page.keyboard.press(',');
    await page.getByRole('group', { name: 'Single-key shortcuts' }).getByRole('radio', { name: 'Off' }).check();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toBeHidden();
    const figure = grid.locator(':is([data-column="volumeUsd"], [data-column="price"])[role="gridcell"]').first();
    await figure.click();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toBeHidden();
    const before = page.url();
    for (const key of ['f', 'i']) await page.keyboard.press(key);
    await page.keyboard.press('Control+i');
    await expect(page.getByRole('dialog')).toContainText('Endpoint');
    expect(page.url()).toBe(before);
  });
}
