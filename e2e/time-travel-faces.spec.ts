import { expect, type Page } from '@playwright/test';
import { expectNoViolation } from './expect-no-violation.ts';
import { expectAccessible, expectToFit, inEachLook } from './looks.ts';
import { orderGrid } from './orders-desk.ts';
import { openPast, readBook, readUntilChanged, test, toShownTime } from './past-desk.ts';
import { takeShot } from './take-shot.ts';

test.use({ live: false });
test.setTimeout(90_000);

function face(page: Page, name: string) {
  return page.getByRole('heading', { name });
}

/** Changes a response of the desk on its way to the page. */
async function rewrite(page: Page, url: string, change: (body: Record<string, unknown>) => object): Promise<void> {
  await page.route(url, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: change((await response.json()) as Record<string, unknown>) });
  });
}

test('two instants without a difference say so, with both times and the gap between them', async ({ page }) => {
  const [first = '', , third = ''] = await readUntilChanged(page, 3);
  const [earlier, later] = [await readBook(page, first), await readBook(page, third)];
  await rewrite(page, '**/api/desk/journal/book?*', (body) => ({ ...body, orders: earlier.orders }));
  await rewrite(page, '**/api/desk/journal/activity?*', (body) => ({ ...body, gaps: [{ from: earlier.next_read_at, to: later.read_to }, { from: '2020-01-01T00:00:00Z', to: '2020-01-02T00:00:00Z' }] }));
  const differing = '&f=change:is:Added~Changed~Gone';
  await page.goto(`/orders?at=${third}&with=${first}${differing}`);
  await expect(face(page, 'Nothing changed')).toBeVisible();
  await expect(page.getByText(`The readings of ${toShownTime(first)} UTC and ${toShownTime(third)} UTC show the same ${String(earlier.orders.length)} working orders.`)).toBeVisible();
  await expect(page.getByText(/^Gap: nothing was read/)).toHaveText(`Gap: nothing was read from ${toShownTime(earlier.next_read_at ?? '')} UTC to ${toShownTime(later.read_to)} UTC.`);
  await expectNoViolation(page);
  await takeShot(page, 'time-travel-nothing-changed');
  await page.getByRole('button', { name: 'Show unchanged orders' }).press('Enter');
  await expect(orderGrid(page)).toBeVisible();
  // The filter is blamed only where it is what hides the orders.
  const ofOne = earlier.orders.filter(({ symbol }) => symbol === earlier.orders[0]?.symbol);
  await page.goto(`/orders?at=${third}&with=${first}${differing}&f=product:is:${ofOne[0]?.symbol ?? ''}`);
  await expect(face(page, 'Nothing changed for this filter')).toBeVisible();
  await expect(page.getByText(`show the same ${String(ofOne.length)} working order`)).toBeVisible();
  await page.goto(`/orders?at=${third}&with=${first}${differing}&q=no-such-order`);
  await expect(face(page, 'No matches for this filter')).toBeVisible();
  const soonAfter = new Date(Date.parse(first) + 1).toISOString();
  await page.goto(`/orders?at=${soonAfter}&with=${first}${differing}`);
  await expect(page.getByText(/^Both times have the same reading, from .+: nothing was read in between\.$/)).toBeVisible();
});

test('it is accessible and unmistakable in both themes, at every width', async ({ page }) => {
  const times = await readUntilChanged(page, 3);
  // Far apart: handles of instants that are close together lie upon each other.
  const [first = '', last = ''] = [times[0], times.at(-1)];
  const sizes = [[390, 900], [1_280, 900], [2_560, 900]] as const;
  const ground = () => page.getByRole('main').locator('[data-past], h1').first().evaluate((part) => getComputedStyle(part.closest('[data-past]') ?? document.body).backgroundColor);
  const past = new Map<string, string>();
  await page.setViewportSize({ width: 390, height: 900 });
  await openPast(page, last);
  await inEachLook(page, sizes, async (look) => {
    await expectToFit(page, look);
    await takeShot(page, `time-travel-${look.colorScheme}-${String(look.width)}`);
  });
  await openPast(page, last, `&with=${first}`);
  await inEachLook(page, sizes, async (look) => {
    await expectAccessible(page, look);
    await takeShot(page, `time-travel-compared-${look.colorScheme}-${String(look.width)}`);
    past.set(look.colorScheme, await ground());
  });
  await page.getByRole('button', { name: /^Back to live/ }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Working orders');
  await inEachLook(page, [[1_280, 900]], async ({ colorScheme }) => {
    expect(past.get(colorScheme)).not.toBe(await ground());
  });
});
