import { expect, type Page } from '@playwright/test';
import { expectNoViolation } from './expect-no-violation.ts';
import { expectAccessible, expectToFit, inEachLook } from './looks.ts';
import { orderGrid } from './orders-desk.ts';
import { openPast, readBook, readUntilChanged, test, toShownTime } from './past-desk.ts';
import { toProblemResponse } from './problem-response.ts';
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

test.describe('where there is nothing to show', () => {
  test.use({ provoked: /404/ });

  test('before the journal begins, in the future, and at no time, the screen says so and leads on', async ({ page }) => {
    const [first = ''] = await readUntilChanged(page, 2);
    await page.goto('/orders?at=2020-01-01T00:00:00Z');
    await expect(face(page, 'Before the journal')).toBeVisible();
    await page.getByRole('button', { name: 'Go to its beginning' }).click();
    await expect(orderGrid(page)).toBeVisible();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Working orders at ${toShownTime(first)} UTC`);
    await page.goto('/orders?at=2090-01-01T00:00:00Z');
    await expect(face(page, 'In the future')).toBeVisible();
    await page.getByRole('button', { name: 'Go to the last reading' }).click();
    await expect(orderGrid(page)).toBeVisible();
    await expect(page.getByText('no later reading yet')).toBeVisible();
    await page.goto('/orders?at=soon');
    await expect(face(page, 'Not a time')).toBeVisible();
    await page.getByRole('button', { name: /^Back to live/ }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Working orders');
  });
});

test('an empty journal has no bar, and says what fills it', async ({ page }) => {
  const [first = ''] = await readUntilChanged(page, 1);
  await rewrite(page, '**/api/desk/status', (body) => ({ ...body, journal: { ...(body['journal'] as object), kept_from: null, read_to: null } }));
  await page.goto(`/orders?at=${first}`);
  await expect(face(page, 'The journal is empty')).toBeVisible();
  await expect(page.getByRole('slider')).toHaveCount(0);
});

test('in a gap, and where a reading was not complete, the list, the footer and the file say so', async ({ page }) => {
  const [first = ''] = await readUntilChanged(page, 2);
  const { read_to: from, next_read_at: to } = await readBook(page, first);
  await rewrite(page, '**/api/desk/journal/book?*', (body) => ({ ...body, in_gap: true, complete: false }));
  await rewrite(page, '**/api/desk/journal/activity?*', (body) => ({ ...body, gaps: [{ from, to }] }));
  await openPast(page, first);
  await expect(page.getByText(/^In a gap: nothing was read from .+ to .+\. Orders may have come, changed and gone\.$/)).toBeVisible();
  await expect(page.getByText(/^The reading did not cover all orders/)).toBeVisible();
  await expect(page.locator('footer').getByText('INCOMPLETE')).toBeVisible();
  await expect(page.getByRole('img', { name: /; 1 gap$/ })).toBeAttached();
  await page.getByRole('button', { name: 'Reading', exact: true }).click();
  await expect(page.getByRole('complementary', { name: 'The reading' })).toContainText('unseen');
});

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

test.describe('failures', () => {
  test.use({ provoked: /429/ });

  test('a failed read says so and can be repeated; a bar that cannot be read leaves the list', async ({ page }) => {
    const [first = '', second = ''] = await readUntilChanged(page, 3);
    let fails = true;
    const spent = toProblemResponse('budget-spent', 'The request budget is exhausted.');
    await page.route('**/api/desk/journal/book?*', async (route) => {
      if (fails) await route.fulfill(spent);
      else await route.continue();
    });
    await page.route('**/api/desk/journal/activity?*', (route) => route.fulfill(spent));
    await page.goto(`/orders?at=${first}`);
    const retry = page.getByRole('button', { name: 'Try again' });
    await expect(retry).toBeVisible();
    fails = false;
    await retry.click();
    await expect(orderGrid(page)).toBeVisible();
    await expect(page.getByText(/^The time bar could not be loaded/)).toBeVisible();
    await page.keyboard.press(']');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Working orders at ${toShownTime(second)} UTC`);
    await expect(orderGrid(page)).toBeVisible();
  });
});

test('distances and exposure, which need the market of that time, are absent with the reason', async ({ page }) => {
  const [first = ''] = await readUntilChanged(page, 1);
  await openPast(page, first, '&cols=id,distance,underlying&beside=exposure');
  await expect(page.getByRole('complementary')).toContainText('The journal has no market prices');
  const cell = orderGrid(page).locator('[data-part=body] [data-column=distance]').first();
  await expect(cell).toHaveText('–');
  await cell.click();
  await page.keyboard.press('i');
  await expect(page.getByRole('dialog')).toContainText('The journal has no market prices');
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
