import { expect } from '@playwright/test';
import { test } from './watched-page.ts';

test('where nobody signs in, none of the code for that is loaded, and there is no screen about people', async ({
  page,
}) => {
  const found = page.waitForResponse('**/api/desk/me');
  await page.goto('/');
  expect(await (await found).json()).toMatchObject({ mode: 'local' });
  await expect(page.getByRole('grid', { name: 'Markets' })).toBeVisible();
  await expect(page.getByRole('banner').getByRole('button', { name: /alert|rules/i })).toBeVisible();
  await expect(page.getByRole('button', { name: /^Account/ })).toHaveCount(0);
  const loaded = await page.evaluate(() =>
    performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname),
  );
  expect(loaded.some((path) => path.includes('/assets/'))).toBe(true);
  expect(loaded.filter((path) => /access|account|instead-of/.test(path))).toEqual([]);
  await page.goto('/people');
  await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible();
  await expect(page.getByRole('main').getByRole('link', { name: /Account|People|Audit/ })).toHaveCount(0);
});
