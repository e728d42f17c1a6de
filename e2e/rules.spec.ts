import { readFileSync, writeFileSync } from 'node:fs';
import { expect, type Page } from '@playwright/test';
import { badgeOf, MANY, putRule, test } from './rules-desk.ts';

const STARTING = { timeout: 20_000 };

/** The page notices that Perpdesk is restarted. */
const RESTARTED = /request failed|ERR_|could not be loaded/;

test.describe('from the form to a restart', () => {
  test.use({ provoked: RESTARTED });

  test(
    'a rule is made by its sentence, fires with its orders as evidence, is acknowledged and silenced, and survives a restart',
    { tag: '@quick' },
    async ({ page, desk }) => {
      await page.goto('/rules');
      await expect(page.getByText('No rule is on')).toBeVisible(STARTING);
      await page.getByRole('link', { name: 'New rule' }).click();
      const sentence = page.getByTestId('rule-sentence');
      await expect(sentence).toHaveText('When there are more than 1,000 working orders, raise a warning.');
      await sentence.getByRole('button', { name: '1,000' }).click();
      await expect(page.getByLabel('Value')).toBeFocused();
      await page.keyboard.press('Control+a');
      await page.keyboard.type('1');
      await page.getByLabel('Evaluated for').selectOption('account');
      await page.getByLabel('Severity').selectOption('critical');
      await expect(sentence).toHaveText('When an account has more than 1 working order, raise a critical alert.');
      // It can be tried before it has a name.
      await expect(page.getByText(/^The condition is true for \d+ of \d+ accounts? now\./)).toBeVisible(STARTING);
      await expect(page.getByText(/^it would (not )?have fired/)).toBeVisible();
      await page.getByLabel('Name').fill('Many orders');
      await page.getByRole('button', { name: 'Create rule' }).click();
      await expect(page.getByRole('group', { name: 'Rules' }).getByRole('link', { name: 'Many orders' })).toBeVisible();
      await expect(badgeOf(page)).toHaveText(/critical/, STARTING);
      await page.getByRole('radio', { name: /^Active/ }).check();
      const grid = page.getByRole('treegrid', { name: 'Alerts' });
      const drawer = page.getByRole('complementary', { name: 'Alert' });
      await grid.focus();
      await page.keyboard.press('j');
      await page.keyboard.press('Enter');
      await expect(drawer.getByRole('heading', { name: /orders?, at \d\d:\d\d:\d\d UTC$/ })).toBeVisible();
      await expect(drawer.getByRole('group', { name: 'Orders' }).getByRole('link').last()).toHaveAttribute(
        'href',
        /^\/orders\/life\/\d+$/,
      );
      await page.keyboard.press('Escape');
      await page.keyboard.press('a');
      await page.keyboard.type('Known since noon');
      await page.keyboard.press('Enter');
      await expect(page.getByRole('radio', { name: 'Acknowledged 1' })).toBeVisible();
      await page.keyboard.press('s');
      await page.getByLabel('Silence', { exact: true }).selectOption('rule');
      await page.locator('form').getByRole('button', { name: 'Silence' }).click();
      await page.getByRole('radio', { name: /^Silenced/ }).check();
      await expect(page.getByRole('group', { name: 'Silences' }).getByText('rule many-orders')).toBeVisible();
      await expect(badgeOf(page)).toHaveText(/^1 alert acknowledged · \d+ silenced$/, STARTING);
      await desk.restart();
      await page.goto('/rules?show=history');
      await expect(page.getByText('“Known since noon”')).toBeVisible(STARTING);
      await page.goto('/rules?show=silenced');
      await page.getByRole('button', { name: 'End the silence of rule many-orders' }).click();
      await expect(badgeOf(page)).toHaveText(/critical/, STARTING);
      await page.getByRole('radio', { name: 'Changes' }).check();
      await expect(page.getByRole('row').filter({ hasText: 'Created' })).toContainText('more than 1 working order');
    },
  );
});

test.describe('while the exchange is away', () => {
  test.use({ provoked: /status of 50\d|ERR_|request failed/ });
  // The server must fail several times before it counts as unreachable.
  test.setTimeout(120_000);

  test('a suggestion, adapted, fires, and resolves once the exchange is back; its history shows both', async ({
    page,
    desk,
  }) => {
    await page.goto('/rules?show=rules');
    await page.getByRole('link', { name: 'Adapt Exchange unreachable' }).click();
    await page.getByLabel('For at least', { exact: true }).fill('0');
    await expect(page.getByTestId('rule-sentence')).toHaveText(
      'When the exchange is unreachable, raise a critical alert.',
    );
    await page.getByRole('button', { name: 'Create rule' }).click();
    await expect(page.getByRole('row').filter({ hasText: 'Exchange unreachable' })).toContainText('OK', STARTING);
    await desk.killVenue();
    // Only data that are read can be missed.
    await page.goto('/orders');
    await expect(badgeOf(page)).toHaveText(/1 critical/, { timeout: 40_000 });
    await badgeOf(page).click();
    await expect(page.getByRole('dialog', { name: 'Alerts' })).toContainText('Exchange unreachable');
    await page.keyboard.press('Escape');
    await expect(badgeOf(page)).toBeFocused();
    await desk.reviveVenue();
    await expect(badgeOf(page)).toHaveText('No alerts', { timeout: 40_000 });
    await page.goto('/rules?show=history');
    const changes = page.getByRole('list', { name: 'Changes of alerts' }).getByRole('listitem');
    await expect(changes.nth(0)).toContainText('resolved');
    await expect(changes.nth(1)).toContainText('firing');
  });
});

test('rules are exported and imported; a file with mistakes names them all, with their places, and changes nothing', async ({
  page,
}) => {
  await putRule(page, MANY);
  await page.goto('/rules?show=rules');
  const row = page.getByRole('row').filter({ hasText: 'Many orders' });
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export to file' }).click();
  const path = test.info().outputPath('rules.json');
  await (await downloading).saveAs(path);
  expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({ rules: [MANY] });
  await row.getByRole('button', { name: 'Delete Many orders' }).click();
  await row.getByRole('button', { name: 'Confirm: delete Many orders' }).click();
  await expect(page.getByText('No rules').first()).toBeVisible();
  const wrong = test.info().outputPath('wrong.json');
  writeFileSync(
    wrong,
    JSON.stringify({
      rules: [
        { ...MANY, value: 'many' },
        { ...MANY, severity: 'loud' },
      ],
    }),
  );
  await page.getByLabel('Import from file').setInputFiles(wrong);
  const mistakes = page.getByRole('list', { name: 'Mistakes' });
  await expect(mistakes).toContainText('$.rules[0].value');
  await expect(mistakes).toContainText('$.rules[1].severity');
  await expect(mistakes).toContainText('$.rules[1].id');
  await expect(row).toHaveCount(0);
  await page.getByLabel('Import from file').setInputFiles(path);
  await expect(row).toBeVisible();
  await expect(mistakes).toHaveCount(0);
});

test('a name of several words can be typed into a filter, and is saved without the space around it', async ({
  page,
}) => {
  await page.goto('/rules/new');
  const firm = page.getByLabel('Clearing firm', { exact: true });
  await firm.pressSequentially(' Two words ');
  await expect(firm).toHaveValue(' Two words ');
  await page.getByLabel('Name').fill('Of one firm');
  await page.getByRole('group', { name: 'Watches nothing' }).getByLabel('Save it all the same').check(STARTING);
  await page.getByRole('button', { name: 'Create rule' }).click();
  await expect(page.getByRole('group', { name: 'Rules' }).getByRole('link', { name: 'Of one firm' })).toBeVisible();
  const { rules } = (await (await page.request.get('/api/desk/rules')).json()) as {
    readonly rules: readonly { readonly filter: object }[];
  };
  expect(rules.map(({ filter }) => filter)).toEqual([{ clearing_member_code: 'Two words' }]);
});

test('by the keyboard alone, a rule is made and turned off', async ({ page }) => {
  await page.goto('/status');
  await expect(page.getByRole('heading', { name: 'Request budget' })).toBeVisible(STARTING);
  await page.keyboard.press('g');
  await page.keyboard.press('r');
  await expect(page.getByRole('heading', { name: 'Rules', level: 1 })).toBeVisible();
  await page.getByRole('link', { name: 'New rule' }).press('Enter');
  await page.getByLabel('Measure').focus();
  await page.keyboard.press('Tab');
  await expect(page.getByLabel('Is', { exact: true })).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.type('7');
  await page.getByLabel('Name').focus();
  await page.keyboard.type('By hand');
  await page.keyboard.press('Enter');
  const off = page.getByRole('button', { name: 'Turn off By hand' });
  await expect(off).toBeVisible();
  await off.press('Enter');
  await expect(page.getByRole('row').filter({ hasText: 'By hand' })).toContainText('Off');
});

test.describe('a rule that is changed elsewhere while it is edited', () => {
  // The browser logs the rejected save.
  test.use({ provoked: /status of 409/ });

  test('is not overwritten: the form says who changed what, keeps the draft, and reloads or overwrites', async ({
    page,
    context,
  }) => {
    await putRule(page, MANY);
    const other = await context.newPage();
    await Promise.all([page, other].map((one) => one.goto('/rules/edit/many')));
    await page.getByLabel('Value').fill('7');
    const release = await holdRules(page);
    await other.getByLabel('Value').fill('5');
    await other.getByRole('button', { name: 'Save rule' }).click();
    await expect(other.getByRole('row').filter({ hasText: 'Many orders' })).toContainText('more than 5 working orders');

    const refused = page.waitForResponse((response) => response.request().method() === 'PUT');
    await page.getByRole('button', { name: 'Save rule' }).click();
    expect((await refused).status()).toBe(409);
    await release();
    const notice = page.getByRole('group', { name: 'Changed meanwhile' });
    await expect(notice).toContainText(
      'This rule was changed while you edited it. Your changes are not saved; they are kept in this tab.',
    );
    await expect(notice).toContainText('By this machine');
    await expect(notice.locator('del')).toHaveText('When there are more than 3 working orders, raise a warning.');
    await expect(notice).toContainText('When there are more than 5 working orders, raise a warning.');
    await expect(page.getByText('Review the change')).toHaveCount(0);
    await expect(page.getByLabel('Value')).toHaveValue('7');
    // Enter saves nothing while the choice is open.
    await page.getByLabel('Value').press('Enter');
    await page.reload();
    await expect(page.getByLabel('Value')).toHaveValue('7');
    await notice.getByRole('button', { name: 'Discard mine and reload' }).click();
    await expect(page.getByLabel('Value')).toHaveValue('5');
    await expect(notice).toHaveCount(0);

    await page.getByLabel('Value').fill('9');
    await putRule(page, { ...MANY, value: 6 });
    await notice.getByRole('button', { name: 'Overwrite with mine' }).click({ timeout: 60_000 });
    await expect(page.getByRole('row').filter({ hasText: 'Many orders' })).toContainText('more than 9 working orders');
  });

  test('and is deleted there can be created again from its draft', async ({ page, context }) => {
    await putRule(page, MANY);
    const other = await context.newPage();
    await page.goto('/rules/edit/many');
    await page.getByLabel('Value').fill('7');
    await other.goto('/rules?show=rules');
    await other.getByRole('button', { name: 'Delete Many orders' }).click();
    await other.getByRole('button', { name: 'Confirm: delete Many orders' }).click();
    await expect(other.getByText('No rules').first()).toBeVisible();
    await page.reload();
    const notice = page.getByRole('group', { name: 'Changed meanwhile' });
    await expect(notice).toContainText('This rule was deleted while you edited it.');
    await notice.getByRole('button', { name: 'Create it again' }).click();
    await expect(page.getByRole('row').filter({ hasText: 'Many orders' })).toContainText('more than 7 working orders');
  });
});

/** Keeps the page on the current rules, as if it had not read them again yet. Returns a function that ends this. */
async function holdRules(page: Page): Promise<() => Promise<void>> {
  const address = '**/api/desk/rules';
  const held = await page.request.get('/api/desk/rules');
  await page.route(address, (route) =>
    route.request().method() === 'GET' ? route.fulfill({ response: held }) : route.fallback(),
  );
  return () => page.unroute(address);
}
