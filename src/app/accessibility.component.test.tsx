import { page, type Locator } from 'vitest/browser';
import { expect, test } from 'vitest';
import { expectAccessible } from '#testing/component/looks.ts';
import { open } from '#testing/component/mount.tsx';
import { press } from '#testing/component/screen.ts';

/** Each screen, and an element that is visible once it is rendered. Rows are alike, so a few of each kind show as much as all. */
const screens: Readonly<Record<string, () => Locator>> = {
  '/?q=kilo': () => page.getByRole('grid', { name: 'Markets' }),
  '/status': () => page.getByRole('heading', { name: 'Allowed requests' }),
  '/nowhere': () => page.getByRole('heading', { name: 'Page not found' }),
};

test.each(Object.entries(screens))('%s has no accessibility violation', async (address, drawn) => {
  await open(address, { size: [1_280, 720] });
  await expect.element(drawn()).toBeVisible();
  await expectAccessible();
});

test.each([['palette', 'Control+k'], ['preferences', ','], ['keys', '?']])('the %s dialog has no accessibility violation', async (name, key) => {
  await open('/status', { size: [1_280, 720] });
  await press(key);
  await expect.element(page.getByRole('dialog')).toBeVisible();
  if (name === 'palette') await expect.element(page.getByRole('option').nth(10)).toBeVisible();
  await expectAccessible();
});

test('at the width of a phone there is no accessibility violation, and every target is at least 24 px high', async () => {
  await open('/status', { size: [320, 640] });
  await expectAccessible();
  const heights = [...document.querySelectorAll('button, summary')].filter((each) => each.getClientRects().length > 0).map((each) => each.getBoundingClientRect().height);
  expect(heights.length).toBeGreaterThan(2);
  expect(Math.min(...heights)).toBeGreaterThanOrEqual(24);
});
