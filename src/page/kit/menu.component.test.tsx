import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { open } from '#testing/component/mount.tsx';
import { address, expectCount, exportMenu, press } from '#testing/component/screen.ts';
import { openPrice } from '#testing/component/price-page.ts';

const items = () => page.getByRole('menuitem');
const item = (name: string) => page.getByRole('menuitem', { name });

it('is opened, walked, chosen from and left by keys, which do nothing else meanwhile', async () => {
  await openPrice();
  (exportMenu().element() as HTMLElement).focus();
  await press('Enter');
  await expect.element(item('CSV, figures only')).toHaveFocus();
  await press('ArrowUp');
  await expect.element(item('Table')).toHaveFocus();
  await press('ArrowDown', 'ArrowDown');
  await expect.element(item('CSV, with sources')).toHaveFocus();
  await press('e');
  await expectCount(page.getByRole('combobox'), 0);
  await press('Escape');
  await expectCount(items(), 0);
  await expect.element(exportMenu()).toHaveFocus();
  await press('Enter', 'End', 'Enter');
  await expect.poll(address).toBe('/price/PBTCUCZ50?view=table');
  await expect.element(page.getByRole('button', { name: 'Chart', exact: true })).toBeVisible();
});

it('stays within the window where its button is at the lower edge', async () => {
  await open('/');
  await exportMenu().click();
  await expect.element(item('CSV, figures only')).toBeVisible();
  const { bottom } = page.getByRole('menu').element().getBoundingClientRect();
  expect(bottom).toBeLessThanOrEqual(exportMenu().element().getBoundingClientRect().top);
});
