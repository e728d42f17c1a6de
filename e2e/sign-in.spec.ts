import { expect, type Page } from '@playwright/test';
import { PASSWORD } from '#testing/access/http-person.ts';
import { expectNoViolation } from './expect-no-violation.ts';
import { expectAccessible, expectToFit, inEachLook } from './looks.ts';
import { ADMIN, signIn, test } from './people-desk.ts';
import { takeShot } from './take-shot.ts';

const orders = (page: Page) => page.getByRole('grid', { name: 'Working orders' });
const heading = (page: Page) => page.getByRole('heading', { name: 'Sign in' });
/** Without a stream that ends with its sign-in session, a visible page reads every 20 seconds who is signed in. */
const SOON = 30_000;

test('one signs in by keyboard, and is then where one wanted to go', async ({ page, people }) => {
  await people.add({ name: 'ines', roles: ['orders'] });
  await page.goto('/orders?q=pbtcuc');
  await expect(page.getByLabel('Name')).toBeFocused();
  await expect(orders(page)).toHaveCount(0);
  await page.keyboard.type('ines');
  await page.keyboard.press('Tab');
  await page.keyboard.type('not this one at all');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('region').getByText('The name or the password is wrong')).toBeVisible();
  await expect(page.getByLabel('Password')).toBeFocused();
  await page.keyboard.type(PASSWORD);
  await page.keyboard.press('Enter');
  await expect(orders(page)).toBeVisible();
  expect(new URL(page.url()).search).toBe('?q=pbtcuc');
});

test('an invitation lets one choose a password, once', async ({ page, people }) => {
  const path = await people.invite({ name: 'bela', roles: ['markets'] });
  await page.goto(path);
  await page.getByLabel('New password', { exact: true }).fill(PASSWORD);
  await page.getByLabel('Confirm new password').fill(`${PASSWORD}!`);
  await expect(page.getByText('The passwords do not match.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Set password and sign in' })).toBeDisabled();
  await page.getByLabel('Confirm new password').fill(PASSWORD);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('grid', { name: 'Markets' })).toBeVisible();
  expect(new URL(page.url()).pathname + new URL(page.url()).hash).toBe('/');
  await page.goto('about:blank');
  await page.goto(path);
  await page.getByLabel('New password', { exact: true }).fill(PASSWORD);
  await page.getByLabel('Confirm new password').fill(PASSWORD);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('region').getByText('This link no longer works')).toBeVisible();
});

test('the secret of an invitation leaves the address at once, and its link can be opened again', async ({
  page,
  people,
}) => {
  const path = await people.invite({ name: 'bodo', roles: ['markets'] });
  const password = page.getByLabel('New password', { exact: true });
  await page.goto(path);
  await expect(password).toBeVisible();
  await expect(page).toHaveURL('/invitation');
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Open the link again' })).toBeVisible();
  await page.goto(path);
  await expect(password).toBeVisible();
  await expect(page).toHaveURL('/invitation');
  await password.fill(PASSWORD);
  await page.getByLabel('Confirm new password').fill(PASSWORD);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('grid', { name: 'Markets' })).toBeVisible();
});

test('the prompt of a passkey stays open while the offers at the field for the name are renewed', async ({ page }) => {
  await page.clock.install();
  await page.addInitScript(() => {
    PublicKeyCredential.isConditionalMediationAvailable = () => Promise.resolve(true);
    const prompts: string[] = [];
    // These prompts stay open, like ones that a person ignores.
    navigator.credentials.get = ({ mediation = 'optional', signal } = {}) => {
      prompts.push(mediation);
      return new Promise((_, reject) => {
        signal?.addEventListener('abort', () => {
          prompts.push('cancelled');
          reject(new DOMException('cancelled', 'AbortError'));
        });
      });
    };
    Object.assign(globalThis, { prompts });
  });
  const prompts = () => page.evaluate(() => (globalThis as unknown as { readonly prompts: readonly string[] }).prompts);
  await page.goto('/');
  await expect.poll(prompts).toEqual(['conditional']);
  await page.clock.runFor(240_000);
  await expect.poll(prompts).toEqual(['conditional', 'cancelled', 'conditional']);
  const button = page.getByRole('button', { name: 'Sign in with a passkey' });
  await button.click();
  const asked = ['conditional', 'cancelled', 'conditional', 'cancelled', 'optional'];
  await expect.poll(prompts).toEqual(asked);
  await page.clock.runFor(240_000);
  expect(await prompts()).toEqual(asked);
  await expect(button).toHaveAttribute('aria-disabled', 'true');
});

test('a session that ends covers the screens of all tabs, and the same person continues where they were', async ({
  page,
  context,
  people,
}) => {
  await people.add({ name: 'cleo', roles: ['operations'] });
  await page.goto('/orders?q=p');
  await signIn(page, 'cleo');
  await expect(orders(page).getByRole('row').nth(2)).toBeVisible();
  const other = await context.newPage();
  await other.goto('/orders/activity');
  await expect(other.getByRole('heading', { name: 'Activity' })).toBeVisible();
  await people.endSessions('cleo');
  for (const each of [page, other]) {
    await expect(heading(each)).toBeVisible({ timeout: SOON });
    await expect(each.getByText('Your session has ended. Sign in again as cleo')).toBeVisible();
    await expect(each.getByRole('grid')).toHaveCount(0);
  }
  await expect(page.getByLabel('Name')).toHaveValue('cleo');
  await signIn(page, 'cleo');
  await expect(orders(page).getByRole('row').nth(2)).toBeVisible();
  expect(new URL(page.url()).search).toBe('?q=p');
  await expect(other.getByRole('heading', { name: 'Activity' })).toBeVisible({ timeout: SOON });
});

test('another person finds nothing of the one before', async ({ page, people }) => {
  await people.add({ name: 'dora', roles: ['orders'] });
  await people.add({ name: 'emil', roles: ['orders'] });
  await page.goto('/orders?q=secret');
  await signIn(page, 'dora');
  await expect(page.getByRole('button', { name: 'Account: dora' })).toBeVisible();
  await page.evaluate(() => {
    localStorage.setItem('perpdesk.orders.views', 'of dora');
    sessionStorage.setItem('perpdesk.rule-draft.new', 'of dora');
  });
  await people.endSessions('dora');
  await expect(heading(page)).toBeVisible({ timeout: SOON });
  await signIn(page, 'emil');
  await expect(page.getByRole('grid', { name: 'Markets' })).toBeVisible();
  expect(new URL(page.url()).search).toBe('');
  expect(await page.evaluate(() => JSON.stringify([localStorage, sessionStorage]))).not.toContain('of dora');
});

test('one sees only the screens that one may use', async ({ page, people }) => {
  await people.add({ name: 'finn', roles: ['markets'] });
  await page.goto('/');
  await signIn(page, 'finn');
  const screens = page.getByRole('navigation', { name: 'Screens' });
  await expect(screens.getByRole('link')).toHaveText(['Markets', 'Price', 'Curve', 'Volume / OI', 'Funding', 'Status']);
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').fill('rules');
  await expect(page.getByRole('option', { name: /Rules/ })).toHaveCount(0);
  await page.goto('/orders/history');
  await expect(page.getByRole('heading', { name: 'You do not have access to History' })).toBeVisible();
  await expect(page.getByText('This screen needs the role orders, which you do not have.')).toBeVisible();
  await people.change({ name: 'finn', roles: ['orders'] });
  await expect(page.getByRole('grid', { name: 'Order history' })).toBeVisible({ timeout: SOON });
});

test('who has no role yet is told so, and can sign out', async ({ page, people }) => {
  await people.add({ name: 'gita', roles: [] });
  await page.goto('/');
  await signIn(page, 'gita');
  await expect(page.getByRole('heading', { name: 'No role yet' })).toBeVisible();
  await expectNoViolation(page);
  await page.getByRole('button', { name: 'Sign out' }).click();
  await expect(heading(page)).toBeVisible();
});

test('signing out signs all tabs out, and leaves nothing in the address', async ({ page, context, people }) => {
  await people.add({ name: 'hugo', roles: ['orders'] });
  await page.goto('/orders?q=pbtcuc');
  await signIn(page, 'hugo');
  await expect(orders(page)).toBeVisible();
  const other = await context.newPage();
  await other.goto('/');
  await expect(other.getByRole('button', { name: 'Account: hugo' })).toBeVisible();
  await page.getByRole('button', { name: 'Account: hugo' }).click();
  await expect(page.getByRole('dialog', { name: 'Account' })).toContainText('All orders');
  await page.getByRole('button', { name: 'Sign out' }).click();
  await expect(heading(page)).toBeVisible();
  await expect(page).toHaveURL(people.address);
  await expect(heading(other)).toBeVisible({ timeout: SOON });
});

test('caps lock is pointed out', async ({ page, browserName }) => {
  await page.goto('/');
  await page.getByLabel('Password').focus();
  // No driver can switch Caps Lock on, so the event says that it is on.
  expect(browserName).toBe('chromium');
  await page
    .getByLabel('Password')
    .evaluate((field) =>
      field.dispatchEvent(new KeyboardEvent('keydown', { key: 'A', bubbles: true, modifierCapsLock: true })),
    );
  await expect(page.getByText('Caps lock is on.')).toBeVisible();
});

test('the sign-in fits the window in every look, without an accessibility violation', async ({ page, people }) => {
  expect(people.address).toContain('localhost');
  const sizes = [
    [390, 800],
    [1280, 800],
    [2560, 800],
  ] as const;
  await page.setViewportSize({ width: 390, height: 800 });
  await page.goto('/orders');
  await expect(heading(page)).toBeVisible();
  await inEachLook(page, sizes, async (look) => {
    await expect(page.getByRole('button', { name: 'Sign in with a passkey' })).toBeVisible();
    await expectAccessible(page, look);
    await expectToFit(page, look);
    await takeShot(page, `sign-in-${look.colorScheme}-${String(look.width)}`);
  });
  await signIn(page, ADMIN);
  await page.getByRole('button', { name: `Account: ${ADMIN}` }).click();
  await inEachLook(page, sizes, async (look) => {
    await expect(page.getByRole('dialog', { name: 'Account' }).getByRole('link')).toHaveText([
      'Account',
      'People',
      'Audit',
    ]);
    await expectAccessible(page, look, { part: 'header' });
    await takeShot(page, `account-menu-${look.colorScheme}-${String(look.width)}`);
  });
});
