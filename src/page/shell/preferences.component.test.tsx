import { expect, test } from 'vitest';
import { page, type Locator } from 'vitest/browser';
import { open } from '#testing/component/mount.tsx';
import { address, expectCount, expectText, press } from '#testing/component/screen.ts';

/** Returns the element with the time of the exchange's last response. */
const lastResponse = (): Locator => page.getByRole('region', { name: 'Exchange' }).getBySelector('time').first();
const tokensOf = (...names: readonly string[]): readonly string[] =>
  names.map((name) => getComputedStyle(document.documentElement).getPropertyValue(name));

async function choose(group: string, choice: string): Promise<void> {
  await page.getByRole('button', { name: 'Preferences' }).click();
  await page.getByRole('group', { name: group }).getByRole('radio', { name: choice, exact: true }).click();
  await press('Escape');
  await expectCount(page.getByRole('dialog'), 0);
}

test('each price palette has two colours, and red for up swaps them', async () => {
  await open('/status');
  const usual = tokensOf('--up', '--down');
  await choose('Price colours', 'Red / green');
  expect(tokensOf('--up', '--down')).toEqual(usual.toReversed());
  for (const pair of ['Blue / orange', 'Monochrome']) {
    await choose('Price colours', pair);
    expect(new Set([...usual, ...tokensOf('--up', '--down')]).size).toBe(4);
  }
});

test('times use the chosen zone, a link shows the same to another person, and hovering shows three zones', async () => {
  await open('/status');
  await expectText(lastResponse(), '2026-08-17 12:30:00 UTC');
  await choose('Time zone', 'Chicago');
  await expect.poll(address).toBe('/status?zone=chicago');
  await expectText(lastResponse(), '2026-08-17 07:30:00 Chicago');
  await lastResponse().hover();
  await expect
    .element(lastResponse())
    .toHaveAttribute('title', expect.stringMatching(/12:30:00.* UTC\n.* local\n.*07:30:00.* Chicago/));
  localStorage.clear();
  await open('/status?zone=chicago');
  await expectText(lastResponse(), '2026-08-17 07:30:00 Chicago');
  // A person who follows the link keeps their own preference.
  await open('/status');
  await expectText(lastResponse(), '2026-08-17 12:30:00 UTC');
  expect(address()).toBe('/status');
});

test('compact rows are lower, and a reset restores all defaults', async () => {
  await open('/status');
  await expect.element(page.getByRole('region', { name: 'Endpoints' }).getByRole('row').nth(1)).toBeVisible();
  const heightOfRow = (): number =>
    page.getByRole('region', { name: 'Endpoints' }).getByRole('row').nth(1).element().getBoundingClientRect().height;
  expect(heightOfRow()).toBe(28);
  await choose('Row density', 'Compact');
  await choose('Theme', 'Dark');
  expect(heightOfRow()).toBe(24);
  expect(document.documentElement.dataset['theme']).toBe('dark');
  await page.getByRole('button', { name: 'Preferences' }).click();
  await page.getByRole('button', { name: 'Reset to defaults' }).click();
  await expect.poll(() => document.documentElement.dataset['theme']).toBe('system');
  await press('Escape');
  await expect.poll(heightOfRow).toBe(28);
  expect(localStorage.getItem('perpdesk.preferences')).toBeNull();
});
