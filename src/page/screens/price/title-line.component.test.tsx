// What can be done with the product whose price is shown.
import { expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { atVenueTime, changing, unreachable } from '#testing/component/change-answers.ts';
import { open } from '#testing/component/mount.tsx';
import { address, expectCount, press } from '#testing/component/screen.ts';
import { heading, openPrice, PRODUCT_DATA } from '#testing/component/price-page.ts';

const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });
const title = () => document.title;

it('adds the product to the current watchlist, and removes it', async () => {
  await openPrice();
  await button('Add to Favourites').click();
  await button('Remove from Favourites').click();
  await button('Add to Favourites').click();
  await open('/?only=favourites');
  await expect.element(page.getByRole('button', { name: 'PBTCUCZ50 in Favourites' })).toBeVisible();
});

it('proposes a rule about its price', async () => {
  await openPrice();
  await button('Alert on the price').click();
  await expect.poll(address).toBe('/rules/new?product=PBTCUCZ50&price=109235&back=%2Fprice%2FPBTCUCZ50');
});

it('copies the link of the screen as it is', async () => {
  const copied = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
  await openPrice('?range=1M&scale=log');
  await button('Copy link').click();
  await expect.element(page.getByText('Copied ✓')).toBeVisible();
  expect(copied).toHaveBeenCalledWith(`${location.origin}/price/PBTCUCZ50?range=1M&scale=log`);
  copied.mockRestore();
});

it('walks the list from which the product was opened, and keeps the range', async () => {
  const names = () =>
    page
      .getByRole('grid', { name: 'Markets' })
      .getBySelector('[role=gridcell][data-column=symbol] a')
      .elements()
      .map((link) => link.textContent);
  await open('/?type=perpetual&sort=symbol');
  await expect.poll(() => names().length).toBeGreaterThan(3);
  const [first = '', second = '', third = ''] = names();
  await page.getByRole('link', { name: second, exact: true }).click();
  await expect.element(heading(second)).toBeVisible();
  await page.getByRole('radio', { name: '3M', exact: true }).click();
  await press(']');
  await expect.poll(address).toBe(`/price/${third}?range=3M`);
  await expect.element(heading(third)).toBeVisible();
  for (const name of [second, first]) {
    await userEvent.keyboard('[[');
    await expect.element(heading(name)).toBeVisible();
    expect(address()).toBe(`/price/${name}?range=3M`);
  }
  await expectCount(button(/^Previous product/), 0);
});

it('is a menu on a phone', async () => {
  await openPrice('', { size: [390, 844] });
  await expectCount(page.getByRole('button', { name: 'Copy link' }), 0);
  await button('Actions on PBTCUCZ50').click();
  await expect.element(page.getByRole('menuitem', { name: 'Copy link' })).toBeVisible();
});

it('names product, price and change in the title of the window, but no price that is not current', async () => {
  await openPrice();
  await expect.poll(title).toBe('PBTCUCZ50 109,235 −0.87 % · Perpdesk');
  await open('/price/PBTCUCZ50', { change: changing(PRODUCT_DATA, unreachable) });
  await expect.element(heading('PBTCUCZ50')).toBeVisible();
  await expect.poll(title).toBe('PBTCUCZ50 · Price · Perpdesk');
  // A Saturday, on which no future trades.
  const at = Date.parse('2026-08-15T12:00:00Z');
  await open('/price/BUSQ26', { at, change: atVenueTime(at) });
  await expect.poll(title).toBe('BUSQ26 · Price · Perpdesk');
  await open('/volume/BUSQ26,BUSU26');
  await expect.poll(title).toBe('BUSQ26 + BUSU26 · Volume / OI · Perpdesk');
  await open('/funding/BTCUC');
  await expect.poll(title).toBe('BTCUC · Funding · Perpdesk');
  await open('/funding');
  await expect.poll(title).toBe('Funding · Perpdesk');
});
