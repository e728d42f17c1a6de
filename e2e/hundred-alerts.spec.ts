import { expect, type Page } from '@playwright/test';
import { badgeOf, MANY, putRule, test } from './rules-desk.ts';

const STARTING = { timeout: 30_000 };

/** Fire for each product, account and side of the book that has a working order. */
const RULES = [
  ...['product', 'account', 'firm', 'connection'].map((each) => ({ id: `each-${each}`, name: `Each ${each}`, each })),
  ...['a', 'b', 'c'].map((id) => ({ id: `more-${id}`, name: `Each product, ${id}`, each: 'product' })),
];

async function readOpen(page: Page) {
  const { alerts } = (await (await page.request.get('/api/desk/alerts')).json()) as {
    readonly alerts: readonly { readonly rule_id: string; readonly state: string; readonly acknowledged: unknown }[];
  };
  return alerts.filter(({ state, acknowledged }) => state === 'firing' && acknowledged === null);
}

const countOpen = async (page: Page): Promise<number> => (await readOpen(page)).length;

test('one person works through a hundred alerts by the keyboard alone, a rule at a time', async ({ page }) => {
  for (const rule of RULES) await putRule(page, { ...MANY, ...rule, value: 0 });
  await page.goto('/rules');
  // The alerts of a rule begin to fire together.
  const countRules = async (): Promise<number> => new Set((await readOpen(page)).map((alert) => alert.rule_id)).size;
  await expect.poll(countRules, STARTING).toBe(RULES.length);
  const total = await countOpen(page);
  expect(total).toBeGreaterThan(100);
  const grid = page.getByRole('treegrid', { name: 'Alerts' });
  await expect(grid.locator('[data-group]').first()).toBeVisible(STARTING);
  const acts: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST') acts.push(new URL(request.url()).pathname);
  });
  await grid.focus();
  const begun = Date.now();
  let keys = 0;
  for (let left = total; left > 0; left = await countOpen(page)) {
    // The first line is the group of a rule: its alerts are acknowledged together.
    for (const key of ['Control+Home', 'a', 'k', 'n', 'o', 'w', 'n', 'Enter']) await page.keyboard.press(key);
    keys += 8;
    await expect(page.getByLabel('Note', { exact: true })).toHaveCount(0, STARTING);
    await expect(grid.or(page.getByText('No active alerts'))).toBeVisible(STARTING);
  }
  const seconds = (Date.now() - begun) / 1_000;
  console.log(
    `${String(total)} alerts of ${String(RULES.length)} rules: ${String(keys)} keys, ${seconds.toFixed(1)} s`,
  );
  await expect.poll(() => countOpen(page), STARTING).toBe(0);
  await expect(page.getByRole('radio', { name: /^Active 0/ })).toBeVisible(STARTING);
  expect(acts).toEqual(RULES.map(() => '/api/desk/alerts/acknowledgements'));
  await expect(badgeOf(page)).toHaveText(/^\d+ alerts acknowledged/, STARTING);
});
