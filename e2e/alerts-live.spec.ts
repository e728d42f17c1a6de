import { expect, type Page } from '@playwright/test';
import { badgeOf, MANY, putRule, test } from './rules-desk.ts';

const STARTING = { timeout: 20_000 };
/** Working orders are read every few seconds. */
const SHOWN = { timeout: 30_000 };

/** Returns how many streams follow alerts. */
async function followers(page: Page): Promise<number | undefined> {
  const { live } = (await (await page.request.get('/api/desk/status')).json()) as {
    readonly live: { readonly topics: readonly { readonly topic: string; readonly followers: number }[] };
  };
  return live.topics.find(({ topic }) => topic === 'alerts')?.followers;
}

test('what rules say is pushed to the badges of all tabs, on one stream, and polled by none', async ({
  page,
  context,
}) => {
  const second = await context.newPage();
  for (const each of [page, second]) {
    await each.goto('/status');
    await expect(badgeOf(each)).toHaveText('No alerts set', STARTING);
  }
  await expect.poll(() => followers(page), STARTING).toBe(1);
  const polled: string[] = [];
  await context.route('**/api/desk/alerts', async (route) => {
    polled.push(route.request().url());
    await route.continue();
  });
  await putRule(page, MANY);
  for (const each of [page, second]) await expect(badgeOf(each)).toHaveText('1 warning', SHOWN);
  await badgeOf(second).click();
  const alert = second.getByRole('dialog', { name: 'Alerts' });
  await expect(alert).toContainText(/\d+ working orders, over 3\./);
  await putRule(page, { ...MANY, id: 'more', name: 'More', severity: 'critical' });
  for (const each of [page, second]) await expect(badgeOf(each)).toHaveText('1 critical, 1 more', SHOWN);
  expect(polled).toEqual([]);
  // If one tab acknowledges an alert, the others show it.
  await alert.getByRole('button', { name: 'Acknowledge…' }).first().click();
  await second.keyboard.press('Enter');
  await expect(badgeOf(page)).toHaveText(/^1 warning/, SHOWN);
});
