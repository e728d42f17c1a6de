import { expect, type Page } from '@playwright/test';
import type { DeskMe, DeskTokens } from '#contract/desk/access.ts';
import { createHttpPerson, PASSWORD } from '#testing/access/http-person.ts';
import { expectNoViolation } from './expect-no-violation.ts';
import { expectAccessible, expectToFit, inEachLook } from './looks.ts';
import { signIn, test } from './people-desk.ts';
import { toProblemResponse } from './problem-response.ts';
import { takeShot } from './take-shot.ts';

/** The tests provoke rejections; a password that is not accepted is one of the mistakes in a body. */
test.use({ provoked: /status of 40[013]/ });

/** Without a stream that ends with its sign-in session, a visible page reads every 20 seconds who is signed in. */
const CHECKED_WITHIN = 30_000;

async function openAccount(page: Page, name: string): Promise<void> {
  await page.goto('/account');
  await signIn(page, name);
  await expect(page.getByRole('heading', { name: 'Account', level: 1 })).toBeVisible();
}

/**
 * Waits until the page has reloaded. Its sign-in form may be visible a moment earlier, and text typed into that is
 * lost.
 */
async function signOut(page: Page): Promise<void> {
  const loadedAnew = page.waitForEvent('domcontentloaded');
  await page.getByRole('button', { name: 'Sign out' }).click();
  await loadedAnew;
}

/** Adds a device with a fingerprint reader that always recognises its user. */
async function withAuthenticator(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable');
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      ctap2Version: 'ctap2_1',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

test('one sees where one is signed in, and ends a session elsewhere', async ({ page, strangersPage, people }) => {
  await people.add({ name: 'iris', roles: ['markets'] });
  await strangersPage.goto(people.address);
  await signIn(strangersPage, 'iris');
  await expect(strangersPage.getByRole('button', { name: 'Account: iris' })).toBeVisible();
  await openAccount(page, 'iris');
  const rows = page.getByRole('group', { name: 'Sessions' }).getByRole('row');
  // The session of the invitation is the third.
  await expect(rows).toHaveCount(4);
  await expect(rows.nth(1)).toContainText('This browser');
  for (let left = 2; left > 0; left--) {
    const end = rows.nth(2).getByRole('button');
    await end.press('Enter');
    await expect(end).toHaveText('End session?');
    await end.press('Enter');
    await expect(rows).toHaveCount(left + 1);
  }
  await expect(strangersPage.getByRole('heading', { name: 'Sign in' })).toBeVisible({ timeout: CHECKED_WITHIN });
  await expect(page.getByRole('button', { name: 'Account: iris' })).toBeVisible();
});

test('a token is shown once, does no more than one may oneself, and ends', async ({ page, people }) => {
  await people.add({ name: 'jan', roles: ['orders'], accounts: ['NORD-105', 'NORD-107'] });
  await openAccount(page, 'jan');
  await expect(page.getByRole('main')).toContainText('Orders of NORD-105, NORD-107');
  await page.getByRole('button', { name: 'Create API token' }).click();
  const dialog = page.getByRole('dialog', { name: 'Create API token' });
  await expect(dialog.getByRole('checkbox')).toHaveCount(2);
  await expect(dialog.getByRole('radio')).toHaveCount(0);
  await dialog.getByLabel('Name').fill('night report');
  await dialog.getByRole('button', { name: 'Remove NORD-107' }).click();
  await dialog.getByLabel('Expires in').selectOption('1 year');
  await dialog.getByRole('button', { name: 'Create API token' }).click();
  const shown = page.getByRole('textbox', { name: 'API token', exact: true });
  await expect(shown).toBeVisible();
  await expect(page.getByRole('button', { name: 'Copy' })).toBeFocused();
  const token = await shown.inputValue();
  const me = async (): Promise<unknown> =>
    (await fetch(new URL('/api/desk/me', people.address), { headers: { authorization: `Bearer ${token}` } })).json();
  expect(await me()).toMatchObject({ me: { roles: ['orders'], scope: { all: false, accounts: ['NORD-105'] } } });
  const { tokens } = (await (await page.request.get('/api/desk/tokens')).json()) as DeskTokens;
  expect(
    tokens.map((each) => Math.round((Date.parse(each.expires_at) - Date.parse(each.created_at)) / 86_400_000)),
  ).toEqual([365]);
  await page.getByRole('button', { name: 'Hide' }).click();
  await expect(shown).toHaveCount(0);
  await page.reload();
  const row = page.getByRole('group', { name: 'API tokens' }).getByRole('row', { name: /night report/ });
  await expect(row).toContainText('Orders of NORD-105');
  await row.getByRole('button').click();
  await row.getByRole('button').click();
  await expect(page.getByRole('heading', { name: 'No API tokens' })).toBeVisible();
  expect(await me()).not.toMatchObject({ me: { roles: ['orders'] } });
});

test('what needs a recent sign-in asks for the password, and goes on with what was entered', async ({
  page,
  people,
}) => {
  await people.add({ name: 'juno', roles: ['markets'] });
  await openAccount(page, 'juno');
  // Perpdesk responds like this from ten minutes after the sign-in until it is confirmed.
  let isRecent = false;
  await page.route('**/api/desk/tokens', async (route) => {
    if (isRecent || route.request().method() !== 'POST') await route.continue();
    else
      await route.fulfill(
        toProblemResponse('recent-sign-in-needed', 'This needs a sign-in within the last ten minutes.'),
      );
  });
  page.on('response', (response) => {
    isRecent ||= response.url().endsWith('/sign-in/confirmation') && response.status() === 200;
  });
  await page.getByRole('button', { name: 'Create API token' }).click();
  const dialog = page.getByRole('dialog', { name: 'Create API token' });
  await dialog.getByLabel('Name').fill('early report');
  await dialog.getByRole('button', { name: 'Create API token' }).click();
  const asked = page.getByRole('dialog', { name: 'Confirm that it is you' });
  await expect(asked.getByLabel('Password')).toBeFocused();
  await expectNoViolation(page, { part: '[role=dialog]' });
  await page.keyboard.press('Escape');
  await expect(asked).toHaveCount(0);
  await expect(dialog.getByText('Recent sign-in needed.')).toBeVisible();
  await expect(dialog.getByLabel('Name')).toHaveValue('early report');
  await dialog.getByRole('button', { name: 'Create API token' }).click();
  await asked.getByLabel('Password').fill('not this one at all');
  await page.keyboard.press('Enter');
  await expect(asked.getByText('The current password is wrong.')).toBeVisible();
  await asked.getByLabel('Password').fill(PASSWORD);
  await asked.getByRole('button', { name: 'Confirm' }).click();
  await expect(page.getByRole('textbox', { name: 'API token', exact: true })).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(
    page.getByRole('group', { name: 'API tokens' }).getByRole('row', { name: /early report/ }),
  ).toBeVisible();
});

test('a new password ends the other sessions, and the old one no longer works', async ({ page, people }) => {
  await people.add({ name: 'kim', roles: ['markets'] });
  await openAccount(page, 'kim');
  const form = page.getByRole('region', { name: 'Password' });
  await form.getByLabel('Current password').fill('not the present one');
  await form.getByLabel('New password', { exact: true }).fill('copper meadow lantern forty');
  await form.getByLabel('Confirm new password').fill('copper meadow lantern forty');
  await form.getByRole('button', { name: 'Change password' }).click();
  await expect(form.getByText('The current password is wrong.')).toBeVisible();
  await form.getByLabel('Current password').fill(PASSWORD);
  await form.getByRole('button', { name: 'Change password' }).click();
  await expect(form.getByText('Password changed. All your other sessions have ended.')).toBeVisible();
  await signOut(page);
  await signIn(page, 'kim');
  await expect(page.getByRole('region').getByText('The name or the password is wrong')).toBeVisible();
  await signIn(page, 'kim', 'copper meadow lantern forty');
  await expect(page.getByRole('button', { name: 'Account: kim' })).toBeVisible();
});

test('a passkey is added, signs in, and is deleted', async ({ page, people }) => {
  await people.add({ name: 'lena', roles: ['markets'] });
  await withAuthenticator(page);
  await openAccount(page, 'lena');
  const section = page.getByRole('region', { name: 'Passkeys' });
  await section.getByLabel('Name of a new passkey').fill('this laptop');
  await page.keyboard.press('Enter');
  await expect(section.getByRole('row', { name: /this laptop/ })).toContainText('never');
  await people.add({ name: 'lars', roles: ['operations'] });
  const { me } = (await (await page.request.get('/api/desk/me')).json()) as DeskMe;
  const other = createHttpPerson(people.address);
  expect((await other.act('signIn', { name: 'lars', password: PASSWORD })).status).toBe(200);
  expect((await other.act('deletePasskey', null, { id: me?.passkeys[0]?.id ?? '' })).body).toMatchObject({
    status: 400,
    detail: expect.stringContaining('You have no such passkey'),
  });
  // The browser offers the passkey at the field for the name, and this authenticator accepts every offer.
  const offered = page.waitForResponse('**/api/desk/sign-in/passkey');
  await signOut(page);
  expect((await offered).status()).toBe(200);
  await expect(page.getByRole('button', { name: 'Account: lena' })).toBeVisible();
  await page.addInitScript(() => {
    PublicKeyCredential.isConditionalMediationAvailable = () => Promise.resolve(false);
  });
  await page.getByRole('button', { name: 'Account: lena' }).click();
  await signOut(page);
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await expect(page.getByRole('button', { name: 'Account: lena' })).toBeVisible();
  await page.goto('/account');
  await expect(page.getByText('Passkey', { exact: true }).first()).toBeVisible();
  await expect(section.getByRole('row', { name: /this laptop/ })).not.toContainText('never');
  await section.getByRole('button', { name: 'Delete the passkey this laptop' }).click();
  await section.getByRole('button', { name: 'Confirm: delete the passkey this laptop' }).click();
  await expect(section.getByText('No passkeys. With a passkey, you sign in')).toBeVisible();
});

test('the account fits the window in every look, without an accessibility violation', async ({ page, people }) => {
  const sizes = [
    [390, 900],
    [1280, 900],
    [2560, 900],
  ] as const;
  await page.setViewportSize({ width: 390, height: 900 });
  await people.add({ name: 'mona', roles: ['operations'], firms: ['NORD'] });
  await openAccount(page, 'mona');
  await inEachLook(page, sizes, async (look) => {
    await expect(page.getByRole('group', { name: 'Sessions' }).getByRole('button', { name: /^End/ })).toBeInViewport({
      ratio: 1,
    });
    await expectAccessible(page, look);
    await expectToFit(page, look);
    await takeShot(page, `account-${look.colorScheme}-${String(look.width)}`);
  });
  await page.getByRole('button', { name: 'Create API token' }).click();
  await inEachLook(page, sizes, async (look) => {
    await expect(page.getByRole('dialog').getByLabel('Name')).toBeVisible();
    await expectAccessible(page, look, { part: '[role=dialog]' });
    await takeShot(page, `new-token-${look.colorScheme}-${String(look.width)}`);
  });
});
