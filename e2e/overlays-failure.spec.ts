import { expect, type Page } from '@playwright/test';
import { test } from './watched-page.ts';

test.use({ live: false });

test.use({ provoked: /\/assets\/|ERR_FAILED/ });

/** Lets no further code load from now on, as after an update of the server. */
async function blockCodeOf(page: Page): Promise<void> {
  await page.route('**/assets/*.js', (route) => route.abort());
  await untilCode(page, 'fails');
}

async function unblockCodeOf(page: Page): Promise<void> {
  await page.unroute('**/assets/*.js');
  await untilCode(page, 'loads');
}

/** Waits until code loads or fails, because the browser applies the page's new route a moment later. */
async function untilCode(page: Page, outcome: 'loads' | 'fails'): Promise<void> {
  const load = () =>
    page.evaluate(() =>
      fetch(document.querySelector<HTMLScriptElement>('script[src]')?.src ?? '', { cache: 'no-store' }).then(
        () => 'loads',
        () => 'fails',
      ),
    );
  await expect.poll(load).toBe(outcome);
}

async function expectToast(page: Page): Promise<void> {
  await expect(page.locator('[aria-live=polite]').filter({ hasText: 'This could not be loaded' })).toHaveCount(1);
  await expect(page.getByRole('paragraph').filter({ hasText: 'This could not be loaded' })).toBeInViewport({
    ratio: 1,
  });
}

/** Closes the toast, so that the next one is a different one. */
async function closeToast(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Close' }).click();
  await expect(page.getByRole('paragraph').filter({ hasText: 'This could not be loaded' })).toHaveCount(0);
}

test('the page stays as it is when what opens over it cannot be loaded, and it opens once its code is available', async ({
  page,
}) => {
  await page.goto('/status');
  const budget = page.getByRole('heading', { name: 'Request budget' });
  await expect(budget).toBeVisible();
  await blockCodeOf(page);
  // The command palette, preferences and the list of shortcuts.
  for (const key of ['Control+k', ',', '?']) {
    await page.keyboard.press(key);
    await expectToast(page);
    await closeToast(page);
  }
  await page.getByRole('region', { name: 'Cache' }).getByRole('button').first().click();
  await expectToast(page);
  await expect(budget).toBeVisible();
  await expect(page.getByRole('alert')).toHaveCount(0);
  await page.keyboard.press('g');
  await page.keyboard.press('f');
  await expect(page.getByRole('main').getByRole('alert')).toContainText('This part of the page could not be loaded');
  await unblockCodeOf(page);
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('heading', { name: 'Funding', level: 1 })).toBeVisible();
  await page.keyboard.press(',');
  await expect(page.getByRole('dialog', { name: 'Preferences' })).toBeVisible();
});

test('lists stay when an export, a tooltip or a dialog over them cannot be loaded', async ({ page }) => {
  await page.goto('/');
  const grid = page.getByRole('grid', { name: 'Markets' });
  await expect(grid.getByRole('gridcell').first()).toBeVisible();
  await blockCodeOf(page);
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  await expectToast(page);
  await closeToast(page);
  await grid.focus();
  await page.keyboard.press('i');
  await expectToast(page);
  await expect(grid).toBeVisible();
  await unblockCodeOf(page);
  await page.goto('/orders');
  const columns = page.getByRole('button', { name: 'Columns' });
  await expect(columns).toBeVisible();
  await blockCodeOf(page);
  await columns.click();
  await expectToast(page);
  await expect(columns).toBeVisible();
});

test('the page stays as it is when the alerts cannot be loaded, says that they are unknown, and shows them once they load', async ({
  page,
}) => {
  const code = /\/assets\/alert-badge-.*\.js$/;
  await page.route(code, (route) => route.abort());
  await page.goto('/status');
  const header = page.getByRole('banner');
  await expect(header.getByRole('link', { name: 'Alerts unknown' })).toHaveAttribute('href', '/rules');
  await expect(page.getByRole('heading', { name: 'Request budget' })).toBeVisible();
  await expect(page.getByRole('alert')).toHaveCount(0);
  await page.unroute(code);
  await expect(header.getByRole('button', { name: /alert|rule/i })).toBeVisible();
});
