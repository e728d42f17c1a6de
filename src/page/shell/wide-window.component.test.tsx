import { page, type Locator } from 'vitest/browser';
import { expect, test } from 'vitest';
import { open } from '#testing/component/mount.tsx';
import { address, expectCount, expectToContain, press, textsOf } from '#testing/component/screen.ts';

/** The widest window with one column, and a common one with two. */
const BELOW = [1_899, 1_000] as const;
const WIDE = [2_560, 1_440] as const;

const region = (name: RegExp): Locator => page.getByRole('region', { name });
const heads = (): Locator => page.getByRole('columnheader');
const boxOf = (locator: Locator): DOMRect => locator.element().getBoundingClientRect();

type Place = 'beside' | 'below' | 'elsewhere';

/** Returns the position of the second region relative to the first. */
function placeOf(first: RegExp, second: RegExp): Place {
  const [a, b] = [boxOf(region(first)), boxOf(region(second))];
  if (b.y === a.y && b.height === a.height && b.x >= a.right) return 'beside';
  return b.x === a.x && b.y >= a.bottom ? 'below' : 'elsewhere';
}

test.each([
  ['/funding', /^Funding rates/, /^Funding spread/],
  ['/funding/BTCUC', /^Settled rates/, /^Predicted rate/],
])(
  '%s has two charts side by side in a wide window, and one below the other in any other',
  async (path, left, right) => {
    await open(path, { size: WIDE });
    await expect.element(region(right).getBySelector('canvas').first()).toBeVisible();
    await expect.poll(() => placeOf(left, right)).toBe('beside');
    await page.viewport(...BELOW);
    await expect.poll(() => placeOf(left, right)).toBe('below');
    await expect.element(region(right).getBySelector('canvas').first()).toBeVisible();
  },
);

test('in a wide window a comparison is beside the prices, which have the same bars and need no further request', async () => {
  const { requested } = await open('/price/PBTCUCZ50?vs=PETHUIZ50&bars=1W', { size: BELOW });
  const charts = (): readonly string[] => [...new Set(requested.filter((target) => target.includes('/charts/')))];
  const [own, compared] = [region(/^PBTCUCZ50, prices/), region(/rebased to 100/)];
  await expect.element(compared.getBySelector('canvas').first()).toBeVisible();
  await expectCount(own, 0);
  const before = charts();
  expect(before.length).toBeGreaterThan(0);
  await page.viewport(...WIDE);
  await expect.element(own.getBySelector('canvas').first()).toBeVisible();
  await expectToContain(own, 'Weekly bars (Mon–Sun)');
  await expect.poll(() => placeOf(/^PBTCUCZ50, prices/, /rebased to 100/)).toBe('beside');
  expect(charts()).toEqual(before);
  await page.getByRole('button', { name: 'Remove comparison' }).click();
  await expectCount(compared, 0);
  await expectToContain(own, 'Weekly bars (Mon–Sun)');
});

test('Markets uses the width of a wide window for the terms of contracts; a chosen layout stays', async () => {
  await open('/', { size: WIDE });
  await expect.element(page.getBySelector('[role=columnheader][data-column="strike"]')).toBeVisible();
  await expect.poll(() => boxOf(heads().last()).right).toBeGreaterThan(0.95 * WIDE[0]);
  expect(boxOf(heads().last()).right).toBeLessThanOrEqual(WIDE[0]);
  const count = heads().elements().length;
  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByRole('checkbox', { name: 'Strike' }).click();
  await press('Escape');
  await open('/', { size: WIDE });
  await expectCount(heads(), count - 1);
});

test('History has the first order beside the list in a wide window, until it is closed, and uses the width', async () => {
  const panel = page.getByRole('complementary', { name: 'Order' });
  const first = page.getByRole('grid', { name: 'Order history' }).getBySelector('[aria-rowindex="2"]');
  await open('/orders/history', { size: WIDE });
  await expect.element(first).toBeVisible();
  await expectToContain(
    panel.getByRole('heading', { level: 3 }).first(),
    textsOf(first.getBySelector('[data-column=product]'))[0] ?? 'no product',
  );
  expect(address()).toBe('/orders/history');
  const [last, side] = [boxOf(heads().last()), boxOf(panel)];
  expect(last.right).toBeLessThanOrEqual(side.left);
  expect(last.right + side.width).toBeGreaterThan(0.92 * WIDE[0]);
  await panel.getByRole('button', { name: 'Close' }).click();
  await expectCount(panel, 0);
  expect(address()).toBe('/orders/history?order=none');
  await open(address(), { size: WIDE });
  await expect.element(first).toBeVisible();
  await expectCount(panel, 0);
  await page.viewport(...BELOW);
  await expectCount(panel, 0);
});
