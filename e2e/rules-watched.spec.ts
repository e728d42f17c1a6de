import { expect } from '@playwright/test';
import { badgeOf, MANY, putRule, test } from './rules-desk.ts';
import { takeShot } from './take-shot.ts';

const STARTING = { timeout: 20_000 };
const SHOWN = { timeout: 40_000 };

test('a rule that no product matches says so in the trial, the list and the header, and is saved only on purpose', async ({
  page,
}) => {
  const MARKET = {
    ...MANY,
    id: 'moved',
    name: 'No product',
    about: 'market',
    measure: 'price_change',
    filter: { symbol: 'PETHUIZ50', base_symbol: 'BTCUC' },
    comparison: 'over',
    value: 5,
    unit: 'percent',
    each: undefined,
  };
  await putRule(page, MARKET);
  await page.goto('/rules?show=rules');
  const row = page.getByRole('row').filter({ hasText: 'No product' });
  await expect(row).toContainText('Watches nothing: no product matches', SHOWN);
  await expect(row).not.toContainText('OK');
  await expect(badgeOf(page)).toHaveText('No alerts · 1 rule watches nothing', STARTING);
  await row.getByRole('link', { name: 'No product' }).click();
  await page.getByLabel('Value').fill('6');
  const unmatched = page.getByRole('group', { name: 'Watches nothing' });
  await expect(unmatched).toContainText('Watches nothing: no product matches', STARTING);
  const save = page.getByRole('button', { name: 'Save rule' });
  await expect(save).toBeDisabled();
  await unmatched.getByLabel('Save it all the same').check();
  await expect(save).toBeEnabled();
  // A product is found by its symbol in upper or lower case, and the trial says how many are watched.
  const product = page.getByRole('group', { name: 'Product', exact: true });
  await product
    .getByRole('button', { name: /^Product/ })
    .first()
    .click();
  await page.keyboard.type('pbtcuc');
  await expect(page.getByRole('option', { name: /^PBTCUC/ }).first()).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('rule-sentence')).toContainText('the price of PBTCUC');
  await expect(page.getByText('It watches 1 product.')).toBeVisible(STARTING);
  await expect(unmatched).toHaveCount(0);
  await save.click();
  await expect(row).toContainText('watches 1 product', SHOWN);
  await expect(row).not.toContainText('Watches nothing');
});

test.describe('in an outage', () => {
  test.use({ provoked: /status of 50\d|ERR_|request failed/ });
  test.setTimeout(120_000);

  test('the header counts what fired last, and says why nobody is called', async ({ page, desk }) => {
    await putRule(page, MANY);
    await putRule(page, {
      id: 'away',
      name: 'Exchange away',
      enabled: true,
      severity: 'critical',
      channels: [],
      for_seconds: 3_600,
      about: 'desk',
      measure: 'venue_away',
    });
    await page.goto('/orders');
    await expect(badgeOf(page)).toHaveText('1 warning', SHOWN);
    await desk.killVenue();
    await expect(badgeOf(page)).toHaveText('Last known: 1 warning · no notifications: exchange unreachable', SHOWN);
    await expect(badgeOf(page).locator('[data-severity]')).toHaveAttribute('data-severity', 'warning');
    for (const width of [390, 1_280, 1_440, 1_920]) {
      await page.setViewportSize({ width, height: 900 });
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
      await takeShot(page, `header-outage-${String(width)}`);
    }
    await badgeOf(page).click();
    await expect(page.getByRole('dialog', { name: 'Alerts' })).toContainText('Muted: exchange unreachable (rule away)');
  });
});
