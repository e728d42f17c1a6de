// The products to which names in addresses lead.
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { open } from '#testing/component/mount.tsx';
import { address } from '#testing/component/screen.ts';

const heading = (name: string) => page.getByRole('heading', { name, exact: true });

test('a series, an underlying, and the symbol in any case lead to the price of what they mean', async () => {
  for (const name of ['BTCUC', 'btcuc', 'btc', 'btc-perp', 'pbtcucz50']) {
    await open(`/price/${name}`);
    await expect.element(heading('PBTCUCZ50')).toBeVisible();
  }
});

test.each([
  ['/price/5614?range=1M', '/price/PBTCUCZ50?range=1M'],
  ['/price/btc?vs=15056', '/price/PBTCUCZ50?vs=BUSQ26'],
  ['/volume?product=5614&unit=usd', '/volume/PBTCUCZ50?unit=usd'],
  ['/volume?product=5614,PETHUIZ50', '/volume/PBTCUCZ50,PETHUIZ50'],
])('%s, as earlier versions wrote it, leads to %s', async (earlier, now) => {
  await open(earlier);
  await expect.poll(address).toBe(now);
  await expect.element(page.getByRole('application').first()).toBeVisible();
});

test('a series without a perpetual means its front month', async () => {
  await open('/price/bus');
  await expect.element(heading('BUSQ26')).toBeVisible();
});

test('the symbol, the id and the underlying of a perpetual lead to its funding, at its own address', async () => {
  for (const name of ['PBTCUCZ50', 'btc-perp', 'btcuc', '5614']) {
    await open(`/funding/${name}?range=7d`);
    await expect.poll(address).toBe('/funding/BTCUC?range=7d');
    await expect.element(page.getByRole('heading', { name: 'Settled rates' })).toBeVisible();
  }
});

test.each([
  ['/price/PBTCUZ50', '/price/PBTCUCZ50'],
  ['/volume/PBTCUZ50', '/volume/PBTCUCZ50'],
])('%s: an unknown name is followed by the nearest', async (unknown, target) => {
  await open(unknown);
  await expect.element(heading('No product “PBTCUZ50”')).toBeVisible();
  await expect.element(page.getByText('Did you mean PBTCUCZ50')).toBeVisible();
  await page.getByRole('main').getByRole('link', { name: 'PBTCUCZ50', exact: true }).click();
  await expect.poll(address).toBe(target);
  await expect.element(page.getByRole('heading', { name: /^PBTCUCZ50/ }).first()).toBeVisible();
});

test('an unknown perpetual is followed by the nearest', async () => {
  await open('/funding/PBTCUZ50');
  await expect.element(heading('No perpetual “PBTCUZ50”')).toBeVisible();
  await page.getByRole('main').getByRole('link', { name: 'BTCUC', exact: true }).click();
  await expect.poll(address).toBe('/funding/BTCUC');
});
