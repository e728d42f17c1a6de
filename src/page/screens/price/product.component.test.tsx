import { expect, it, vi } from 'vitest';
import { page, userEvent, type Locator } from 'vitest/browser';
import { atPageTime } from '#testing/component/change-answers.ts';
import { open } from '#testing/component/mount.tsx';
import { address, expectCount, expectText, expectToContain, press } from '#testing/component/screen.ts';
import { chart, choice, dateField, header, heading, openPrice, session } from '#testing/component/price-page.ts';

const option = (name: RegExp): Locator => page.getByRole('option', { name });

it('is the one viewed last where the address names none, on Volume too', async () => {
  await open('/price');
  await expect.poll(address).toMatch(/^\/price\/\w+$/);
  expect(address()).not.toBe('/price/PETHUIZ50');
  await open('/price/PETHUIZ50');
  await expect.element(heading('PETHUIZ50')).toBeVisible();
  await page.getByRole('navigation').getByRole('link', { name: 'Price' }).click();
  // The product is in the address, so that a shared link shows the same one.
  await expect.poll(address).toBe('/price/PETHUIZ50');
  await expect.element(heading('PETHUIZ50')).toBeVisible();
  await page.getByRole('navigation').getByRole('link', { name: 'Volume / OI' }).click();
  await expect.element(page.getByRole('heading', { name: /^PETHUIZ50, volume/ })).toBeVisible();
  expect(address()).toBe('/volume/PETHUIZ50');
  history.back();
  await expect.poll(address).toBe('/price/PETHUIZ50');
});

it('keeps range, bars and indicators for the next visit, unless the address has its own', async () => {
  await open('/price/PBTCUCZ50?range=3M&bars=1W&ind=sma:20&scale=log');
  await expect.element(heading('PBTCUCZ50')).toBeVisible();
  const menu = page.getByRole('navigation');
  await menu.getByRole('link', { name: 'Funding' }).click();
  await expect.poll(address).toBe('/funding');
  await menu.getByRole('link', { name: 'Price' }).click();
  const kept = '/price/PBTCUCZ50?range=3M&bars=1W&ind=sma:20';
  await expect.poll(() => decodeURIComponent(address())).toBe(kept);
  await expect.element(choice('1W')).toBeChecked();
  await open('/price?bars=1M');
  await expect.poll(address).toBe('/price/PBTCUCZ50?bars=1M');
});

it('is named where it is unknown, and another can be typed', async () => {
  await open('/price/NOTHING');
  await expect.element(heading('No product “NOTHING”')).toBeVisible();
  await userEvent.keyboard('PBTCU');
  await expect.element(option(/PBTCUCZ50/)).toBeVisible();
  await press('Enter');
  await expect.element(chart()).toBeVisible();
});

it('says which session is open, and of a closed product when it opens: only perpetuals trade on Saturdays', async () => {
  const day = page.getByRole('region', { name: /current figures$/ }).getByText(/^Session of |^Closed/);
  const at = Date.parse('2026-08-15T12:00:00Z');
  await open('/price/PBTCUCZ50?range=1M', { at, change: atPageTime });
  await expectText(day, 'Session of 15 Aug 2026');
  await page.getByRole('button', { name: 'Product: PBTCUCZ50' }).click();
  await page.getByRole('combobox', { name: 'Product' }).fill('BUSQ26');
  await option(/^BUSQ26 /)
    .first()
    .click();
  await expect.element(heading('BUSQ26')).toBeVisible();
  await expectText(day, 'Closed · opens Mon 00:00 UTC');
  history.back();
  await expectText(day, 'Session of 15 Aug 2026');
  vi.setSystemTime(Date.parse('2026-08-16T12:00:00Z'));
  await expectText(day, 'Session of 16 Aug 2026');
});

it('is shown up to its last session once it has expired, with its expiry instead of the current session', async () => {
  // The product expired before the default range, counted from today, would begin.
  await open('/price/BUSZ25');
  await expectText(session(), '26 Dec 2025, final settlement');
  await expectToContain(header('BUSZ25'), 'expired 26 Dec 2025');
  await expectCount(header('BUSZ25').getByText(/Session of|Closed/), 0);
  await choice('Custom').click();
  await expect.element(dateField('To')).toHaveValue('2025-12-26');
});

it('is explained where the exchange does not have it', async () => {
  await open('/price/999999');
  await expectToContain(page.getByRole('main'), 'Check the product: its ID may differ at this exchange.');
  await expectCount(page.getByText(/^Session of |^Closed/), 0);
});

it('is chosen in a list that is opened and left by pointer and by keys, and returns the focus', async () => {
  await openPrice();
  const [field, combobox] = [
    page.getByRole('button', { name: 'Compare with' }),
    page.getByRole('combobox', { name: 'Compare with' }),
  ];
  await field.click();
  await expect.element(combobox).toHaveFocus();
  await expect.poll(() => page.getByRole('option').elements().length).toBeGreaterThan(60);
  await press('Escape');
  await expect.element(field).toHaveFocus();
  // Closed lists have no elements, since these would be most of the screen's.
  await expectCount(page.getByRole('option'), 0);
  await press('ArrowDown');
  await expect.element(combobox).toHaveFocus();
  await press('Tab');
  await expectCount(combobox, 0);
  await expect.element(field).not.toHaveFocus();
  (field.element() as HTMLElement).focus();
  await userEvent.keyboard('busq26');
  await expect.element(combobox).toHaveValue('busq26');
  await heading('PBTCUCZ50').click();
  await expectCount(combobox, 0);
  (field.element() as HTMLElement).focus();
  await userEvent.keyboard('busq26');
  await option(/^BUSQ26 /).click();
  await expect.poll(address).toBe('/price/PBTCUCZ50?vs=BUSQ26');
  await expect.element(field).toHaveFocus();
});
