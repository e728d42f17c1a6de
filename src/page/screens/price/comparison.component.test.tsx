import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { open } from '#testing/component/mount.tsx';
import { expectCount, expectText, press } from '#testing/component/screen.ts';
import { watchLabels } from '#testing/component/watch-labels.ts';
import { chart, choice, heading, openPrice } from '#testing/component/price-page.ts';

const remove = page.getByRole('button', { name: 'Remove comparison' });

it('rebases two products to 100 on their first common session', async () => {
  await open('/price/PBTCUCZ50?vs=PETHUIZ50&view=table');
  const rows = page.getByRole('table', { name: /PBTCUCZ50 and PETHUIZ50/ }).getBySelector('tbody tr');
  for (const column of [1, 3]) await expectText(rows.last().getBySelector('td').nth(column), '100.00');
  (remove.element() as HTMLElement).focus();
  await press('Enter');
  await expect.element(page.getByRole('columnheader', { name: 'Open USD' })).toBeVisible();
  await expect.element(page.getByRole('button', { name: 'Compare with' })).toHaveFocus();
});

it('draws percent from the first settlement, and for two products from the common base', async () => {
  const labels = watchLabels();
  const isInPercent = (): boolean => labels().some((text) => /^[+−-]?\d+(?:\.\d+)?\s?%$/.test(text));
  await openPrice();
  expect(labels()).toContain('110,000.00');
  expect(isInPercent()).toBe(false);
  await choice('%').click();
  await expect.element(page.getByText('Percent change from the settlement of 17 Feb 2026.')).toBeVisible();
  await expect.poll(isInPercent).toBe(true);
  await open('/price/PBTCUCZ50?vs=PETHUIZ50');
  await expect.element(chart(/PBTCUCZ50 and PETHUIZ50/)).toBeVisible();
  watchLabels();
  await choice('%').click();
  await expect.poll(isInPercent).toBe(true);
});

it('says where both end', async () => {
  await open('/price/PBTCUCZ50?vs=PETHUIZ50');
  await expect
    .element(chart(/PBTCUCZ50 and PETHUIZ50/))
    .toHaveAccessibleDescription(/At the end, 17 Aug 2026, in progress: PBTCUCZ50 at \d+\.\d; PETHUIZ50 at \d+\.\d\./);
});

it('offers only the choices that apply to it, and says which bars it has', async () => {
  await open('/price/PBTCUCZ50?vs=PETHUIZ50&bars=1W');
  const bars = page.getByRole('group', { name: 'Bars' });
  const gaps = page.getByLabelText('Show sessions without trades');
  await expect.element(chart(/PBTCUCZ50 and PETHUIZ50/)).toBeVisible();
  await expect.element(choice('Log')).toBeVisible();
  await expectCount(bars.or(gaps), 0);
  await expect.element(page.getByText('Comparing daily settlements', { exact: true })).toBeVisible();
  await remove.click();
  await expect.element(bars.getByRole('radio', { name: '1W', exact: true })).toBeChecked();
  await expect.element(gaps).toBeVisible();
});

it('names an unknown product to compare with', async () => {
  await open('/price/PBTCUCZ50?vs=NOTHING');
  await expect.element(heading('PBTCUCZ50')).toBeVisible();
  const note = page.getByRole('main').getByRole('note');
  await expectText(note, 'No comparison. No product “NOTHING”. Choose another product to compare with.');
  await remove.click();
  await expectCount(note, 0);
});
