import { expect, type Locator, type Page } from '@playwright/test';
import { test } from './watched-page.ts';

/** Those of the browser’s own date fields would be 11/26/2026 or 26.11.2026. */
test.use({ locale: 'de-DE', live: false });

const field = (of: Page | Locator, label: string) => of.getByRole('textbox', { name: label, exact: true });

/** What the field is described by, for a screen reader. */
async function descriptionOf(text: Locator): Promise<string> {
  const ids = (await text.getAttribute('aria-describedby')) ?? '';
  return text.page().evaluate((of) => of.split(' ').map((id) => document.getElementById(id)?.textContent ?? '').join(' '), ids);
}

async function setNoPicker(page: Page): Promise<void> {
  await page.addInitScript(() => {
    HTMLInputElement.prototype.showPicker = function show() {
      this.dataset['opened'] = 'true';
    };
  });
}

test('a range takes days in ISO 8601 wherever the reader is, says what is none, and moves by the arrow keys', async ({ page }) => {
  await page.goto('/price/PBTCUCZ50?from=2026-02-27&to=2026-03-31');
  const from = field(page, 'From');
  await expect(from).toHaveValue('2026-02-27');
  await from.fill('01.03.2026');
  await expect(from).toHaveAttribute('aria-invalid', 'true');
  expect(await descriptionOf(from)).toMatch(/^“01\.03\.2026” is no date\. Write it as \d{4}-\d\d-\d\d\.$/);
  await expect(field(page, 'To')).toHaveAttribute('aria-invalid', 'false');
  await expect(page.getByRole('button', { name: 'Apply', exact: true })).toBeDisabled();
  await from.fill(' 2026-02-28 ');
  await from.press('ArrowUp');
  await expect(from).toHaveValue('2026-03-01');
  for (const key of ['ArrowDown', 'ArrowDown', 'Enter']) await from.press(key);
  await expect(page).toHaveURL(/from=2026-02-27&to=2026-03-31$/);
});

test('the calendar of the browser is behind a button, and what it gives is written in ISO 8601', async ({ page }) => {
  await setNoPicker(page);
  await page.goto('/volume?from=2026-03-02&to=2026-03-31');
  await page.getByRole('button', { name: 'Calendar, From' }).press('Enter');
  const native = page.locator('input[type=date][data-opened=true]');
  await expect(native).toHaveValue('2026-03-02');
  await native.fill('2026-03-09');
  await expect(field(page, 'From')).toHaveValue('2026-03-09');
  await field(page, 'From').press('Enter');
  await expect(page).toHaveURL(/from=2026-03-09&to=2026-03-31/);
});

test('an expiry that is no day changes nothing and says so', async ({ page }) => {
  await page.goto('/?type=future&expires=2026-01-01..');
  await page.getByRole('button', { name: 'Expiry, call / put' }).click();
  const from = field(page.getByRole('dialog'), 'From');
  await expect(from).toHaveValue('2026-01-01');
  await from.fill('2026-13-01');
  await expect(from).toHaveAttribute('aria-invalid', 'true');
  expect(await descriptionOf(from)).toMatch(/^“2026-13-01” is no date\./);
  await expect(page).toHaveURL('/?type=future&expires=2026-01-01..');
  await from.fill('2026-01-02');
  await expect(page).toHaveURL('/?type=future&expires=2026-01-02..');
});

test('History sends no request for a day or a time that is none, and says so beside it', async ({ page }) => {
  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/orders?')) sent.push(request.url());
  });
  await page.goto('/orders/history?from=2026-01-01');
  // The grid alone is there before its first request.
  await expect(page.getByRole('grid', { name: 'Order history' }).getByRole('gridcell').first()).toBeVisible();
  const before = sent.length;
  const [day, to] = [field(page, 'Trading day'), field(page, 'To (UTC)')];
  await day.fill('26.11.2026');
  await day.press('Enter');
  await expect(day).toHaveAttribute('aria-invalid', 'true');
  expect(await descriptionOf(day)).toBe('Not a day: YYYY-MM-DD');
  await to.fill('soon');
  await to.press('Enter');
  expect(await descriptionOf(to)).toBe('Not a time');
  await expect(page).toHaveURL('/orders/history?from=2026-01-01');
  expect(sent).toHaveLength(before);
  await to.press('Escape');
  await expect(to).toHaveValue('');
  await to.fill('1 h ago');
  await to.press('Enter');
  await expect(page).toHaveURL(/to=1\+h\+ago|to=1%20h%20ago/);
});

test('the period of a carry is written with a space, and its address stays as it was', async ({ page }) => {
  await page.goto('/funding/BTCUC?from=2026-03-02T08:00');
  const from = field(page, 'From, UTC');
  await expect(from).toHaveValue('2026-03-02 08:00');
  await from.press('ArrowUp');
  await expect(page).toHaveURL(/from=2026-03-03T08(:|%3A)00/);
  await from.fill('3.3.2026');
  await expect(from).toHaveAttribute('aria-invalid', 'true');
  await expect(page.getByText('Carry not calculated. From and To must each be a date').last()).toBeVisible();
});
