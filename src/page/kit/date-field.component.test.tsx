// Days and times are ISO 8601 texts in every locale; the browser’s own date fields would show 11/26/2026 or 26.11.2026.
import { expect, it, vi } from 'vitest';
import { page, type Locator } from 'vitest/browser';
import { open } from '#testing/component/mount.tsx';
import { address, expectCount, press } from '#testing/component/screen.ts';

const field = (label: string, of: Pick<Locator, 'getByRole'> = page): Locator =>
  of.getByRole('textbox', { name: label, exact: true });

/** Expects a mistake to be shown, and to be announced to screen readers. */
async function expectRejected(text: Locator, reason: string | RegExp): Promise<void> {
  await expect.element(text).toHaveAttribute('aria-invalid', 'true');
  await expect.element(text).toHaveAccessibleDescription(reason);
}

it('takes the days of a range, says what is none, and moves by the arrow keys', async () => {
  await open('/price/PBTCUCZ50?from=2026-06-18&to=2026-07-08');
  const from = field('From');
  await expect.element(from).toHaveValue('2026-06-18');
  await from.fill('18.06.2026');
  await expectRejected(from, /^“18\.06\.2026” is no date\. Write it as \d{4}-\d\d-\d\d\.$/);
  await expect.element(field('To')).toHaveAttribute('aria-invalid', 'false');
  await expect.element(page.getByRole('button', { name: 'Apply', exact: true })).toBeDisabled();
  await from.fill(' 2026-06-30 ');
  await press('ArrowUp');
  await expect.element(from).toHaveValue('2026-07-01');
  await from.fill('2026-06-20');
  await press('ArrowDown', 'ArrowDown', 'Enter');
  await expect.poll(address).toBe('/price/PBTCUCZ50?from=2026-06-18&to=2026-07-08');
});

it('has the calendar of the browser behind a button, and writes what it gives in ISO 8601', async () => {
  const opened = vi.spyOn(HTMLInputElement.prototype, 'showPicker').mockImplementation(() => undefined);
  await open('/volume/PBTCUCZ50?from=2026-06-18&to=2026-07-08');
  (page.getByRole('button', { name: 'Calendar, From' }).element() as HTMLElement).focus();
  await press('Enter');
  await expect.poll(() => opened.mock.contexts.length).toBe(1);
  const native = page.elementLocator(opened.mock.contexts[0] as HTMLInputElement);
  await expect.element(native).toHaveValue('2026-06-18');
  await native.fill('2026-06-19');
  await expect.element(field('From')).toHaveValue('2026-06-19');
});

it('of an expiry changes nothing while it is no day, and says so', async () => {
  await open('/?type=future&expires=2026-01-01..');
  await page.getByRole('button', { name: 'Expiry, call / put' }).click();
  const from = field('From', page.getByRole('dialog'));
  await expect.element(from).toHaveValue('2026-01-01');
  await from.fill('2026-13-01');
  await expectRejected(from, /^“2026-13-01” is no date\./);
  expect(address()).toBe('/?type=future&expires=2026-01-01..');
  await from.fill('2026-01-02');
  await expect.poll(address).toBe('/?type=future&expires=2026-01-02..');
});

it('of History sends no request for a day or a time that is none, and says so beside it', async () => {
  const { requested } = await open('/orders/history?from=2026-08-17');
  await expect.element(page.getByRole('grid', { name: 'Order history' }).getByRole('gridcell').first()).toBeVisible();
  const ofOrders = (): number => requested.filter((target) => target.includes('/orders?')).length;
  const before = ofOrders();
  await field('Trading day').fill('26.11.2026');
  await press('Enter');
  await expectRejected(field('Trading day'), 'Not a day: YYYY-MM-DD');
  const to = field('To (UTC)');
  await to.fill('soon');
  await press('Enter');
  await expectRejected(to, 'Not a time');
  expect(address()).toBe('/orders/history?from=2026-08-17');
  expect(ofOrders()).toBe(before);
  await press('Escape');
  await expect.element(to).toHaveValue('');
});

it('of a carry has a space before the time, and its address stays as it was', async () => {
  await open('/funding/BTCUC?from=2026-08-12T08:00');
  const from = field('From, UTC');
  await expect.element(from).toHaveValue('2026-08-12 08:00');
  await from.click();
  await press('ArrowUp');
  await expect.poll(() => decodeURIComponent(address())).toBe('/funding/BTCUC?from=2026-08-13T08:00');
  await from.fill('13.8.2026');
  await expect.element(from).toHaveAttribute('aria-invalid', 'true');
  await expectCount(page.getByText('Carry not calculated. Leave To empty for “now”').last(), 1);
});
