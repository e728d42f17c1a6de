import { expect, type APIResponse, type Page } from '@playwright/test';
import { createHttpPerson, PASSWORD } from '#testing/access/http-person.ts';
import { createSoftwarePasskey } from '#testing/access/software-passkey.ts';
import { expectNoViolation } from './expect-no-violation.ts';
import { expectAccessible, expectToFit, inEachLook } from './looks.ts';
import { ADMIN, signIn, test } from './people-desk.ts';
import { takeShot } from './take-shot.ts';

async function openPeople(page: Page): Promise<void> {
  await page.goto('/people');
  await signIn(page, ADMIN);
  await expect(page.getByRole('group', { name: 'People' }).getByRole('row').nth(1)).toBeVisible();
}

const rowOf = (page: Page, name: string) =>
  page.getByRole('group', { name: 'People' }).getByRole('row', { name: new RegExp(`^${name} `) });

test('a person is added by keyboard, invited, and signs in with what was granted', async ({ page, strangersPage }) => {
  await openPeople(page);
  await page.getByRole('button', { name: 'Add person' }).focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Add person' });
  await dialog.getByLabel('Name').fill('nils');
  await dialog.getByRole('checkbox', { name: /^orders/ }).press('Space');
  // The person has the chosen role from the start.
  await expect(dialog.getByRole('checkbox', { name: /^markets/ })).toBeChecked();
  await dialog.getByLabel('Accounts').pressSequentially('NORD-105, NORD-107 X');
  await page.keyboard.press('Enter');
  await expect(dialog.getByRole('button', { name: /^Remove/ })).toHaveText(['NORD-105 ×', 'NORD-107 ×', 'X ×']);
  await page.keyboard.press('Backspace');
  await expect(dialog.getByRole('button', { name: /^Remove/ })).toHaveCount(2);
  await dialog.getByLabel('Name').press('Enter');
  const opened = page.getByRole('dialog', { name: 'nils' });
  await opened.getByRole('button', { name: 'Create invitation link' }).press('Enter');
  const link = await opened.getByLabel('Invitation link').inputValue();
  await page.keyboard.press('Escape');
  await expect(rowOf(page, 'nils')).toContainText('Invited until');
  await expect(rowOf(page, 'nils')).toContainText('Orders of NORD-105, NORD-107');
  await strangersPage.goto(link);
  await strangersPage.getByLabel('New password', { exact: true }).fill(PASSWORD);
  await strangersPage.getByLabel('Confirm new password').fill(PASSWORD);
  await strangersPage.keyboard.press('Enter');
  await strangersPage.getByRole('button', { name: 'Account: nils' }).click();
  await expect(strangersPage.getByRole('dialog', { name: 'Account' })).toContainText('Orders of NORD-105, NORD-107');
  await expect(rowOf(page, 'nils')).toContainText('Active');
});

test('roles and scope are changed in the open page of a person, who is signed out when disabled', async ({
  page,
  strangersPage,
  people,
}) => {
  await people.add({ name: 'olga', roles: ['markets'] });
  await strangersPage.goto(people.address);
  await signIn(strangersPage, 'olga');
  const screens = strangersPage.getByRole('navigation', { name: 'Screens' });
  await expect(screens.getByRole('link')).toHaveCount(6);
  await openPeople(page);
  await page
    .getByRole('searchbox')
    .or(page.getByRole('textbox', { name: /^Filter/ }))
    .first()
    .fill('olga');
  await rowOf(page, 'olga').getByRole('button').press('Enter');
  const dialog = page.getByRole('dialog', { name: 'olga' });
  await dialog.getByRole('checkbox', { name: /^operations/ }).check();
  await dialog.getByRole('radio', { name: 'All orders' }).check();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(rowOf(page, 'olga')).toContainText('All orders');
  await expect(screens.getByRole('link', { name: 'Rules' })).toBeVisible({ timeout: 30_000 });
  await rowOf(page, 'olga').getByRole('button').click();
  await dialog.getByRole('button', { name: 'Disable olga' }).press('Enter');
  await dialog.getByRole('button', { name: 'Confirm: disable olga' }).press('Enter');
  await expect(dialog.getByRole('button', { name: 'Enable' })).toBeVisible();
  await expect(strangersPage.getByRole('heading', { name: 'Sign in' })).toBeVisible({ timeout: 30_000 });
  await signIn(strangersPage, 'olga');
  await expect(strangersPage.getByRole('region').getByText('or this person is disabled')).toBeVisible();
});

/** Signs a person in elsewhere, and gives them an API token and a passkey. */
async function withCredentials(address: string, name: string) {
  const person = createHttpPerson(address);
  const expectDone = async (answer: ReturnType<typeof person.act>) => {
    const { status, body } = await answer;
    expect(status).toBe(200);
    return body;
  };
  await expectDone(person.act('signIn', { name, password: PASSWORD }));
  const created = await expectDone(
    person.act('createToken', {
      name: 'night report',
      roles: ['markets'],
      scope: { all: false, accounts: [], firms: [], connections: [] },
      expires_at: new Date(Date.now() + 86_400_000).toISOString(),
    }),
  );
  await expectDone(createSoftwarePasskey(address).add(person, 'this laptop'));
  const statusOf = async () =>
    (
      await createHttpPerson(address).get('/api/desk/status', {
        headers: { authorization: `Bearer ${String(created['token'])}` },
      })
    ).status;
  return { statusOf };
}

test('API tokens and passkeys of a person are listed, end with their sessions unless they are to stay, and are revoked one by one', async ({
  page,
  people,
}) => {
  await people.add({ name: 'rita', roles: ['markets'] });
  const { statusOf } = await withCredentials(people.address, 'rita');
  await openPeople(page);
  await rowOf(page, 'rita').getByRole('button').click();
  const dialog = page.getByRole('dialog', { name: 'rita' });
  await expect(dialog.getByRole('checkbox', { name: 'Also revoke 1 API token' })).toBeChecked();
  await expect(dialog.getByRole('checkbox', { name: 'Also remove 1 passkey' })).toBeChecked();
  await dialog.getByRole('checkbox', { name: 'Also revoke 1 API token' }).uncheck();
  await dialog.getByRole('button', { name: 'Create invitation link' }).click();
  await expect(
    dialog.getByText('When it is used, all sessions end, and 1 passkey as well. What stays: 1 API token.'),
  ).toBeVisible();
  await dialog.getByRole('button', { name: 'Hide', exact: true }).click();
  await dialog.getByRole('button', { name: 'End sessions of rita' }).press('Enter');
  await dialog.getByRole('button', { name: 'Confirm: end sessions of rita' }).press('Enter');
  await expect(dialog.getByRole('checkbox', { name: /Also remove/ })).toHaveCount(0);
  expect(await statusOf()).toBe(200);
  await dialog.getByRole('button', { name: 'Show 1 API token' }).press('Enter');
  const row = dialog.getByRole('group', { name: 'API tokens' }).getByRole('row', { name: /night report/ });
  await expect(row).toContainText('markets');
  await row.getByRole('button', { name: 'Revoke the token night report' }).press('Enter');
  await row.getByRole('button', { name: 'Confirm: revoke the token night report' }).press('Enter');
  await expect(row).toHaveCount(0);
  await expect(dialog.getByRole('checkbox', { name: /^Also/ })).toHaveCount(0);
  expect(await statusOf()).toBe(401);
});

test('a person is deleted on the second press only', async ({ page, people }) => {
  await people.add({ name: 'paul', roles: ['markets'] });
  await openPeople(page);
  await rowOf(page, 'paul').getByRole('button').click();
  const dialog = page.getByRole('dialog', { name: 'paul' });
  await dialog.getByRole('button', { name: 'Delete paul' }).press('Enter');
  await expect(dialog.getByText('Delete, with sessions, API tokens and saved views?')).toBeVisible();
  await dialog.getByRole('button', { name: 'Confirm: delete paul' }).press('Enter');
  await expect(rowOf(page, 'paul')).toHaveCount(0);
});

// The form shows what the server rejects, and the browser logs it.
test.describe('mistakes', () => {
  test.use({ provoked: /status of 40[013]/ });

  test('the only administrator stays one, and the mistake of a name is shown at once', async ({ page, people }) => {
    await people.add({ name: 'twin', roles: ['markets'] });
    await openPeople(page);
    await rowOf(page, ADMIN).getByRole('button').click();
    const dialog = page.getByRole('dialog', { name: ADMIN });
    await dialog.getByRole('checkbox', { name: /^admin/ }).uncheck();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(dialog.getByText('This is the only administrator')).toBeVisible();
    await dialog.getByRole('checkbox', { name: /^admin/ }).check();
    await dialog.getByLabel('Name').fill('  ');
    await expect(dialog.getByRole('button', { name: 'Save' })).toBeDisabled();
    await dialog.getByLabel('Name').fill('twin');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(dialog.getByRole('list', { name: 'Mistakes' })).toHaveText(
      'name must not be the name of another person',
    );
    await expect(dialog).not.toContainText('$.name');
  });
});

test.describe('changed by another administrator', () => {
  test.use({ provoked: /status of 40[19]/ });

  test('a person is not replaced: the page says so, and what they are now', async ({ page, people }) => {
    await people.add({ name: 'quin', roles: ['operations'] });
    let list: APIResponse | null = null;
    // The page keeps its old list for as long as this holds.
    await page.route('**/api/desk/people', async (route) => {
      if (route.request().method() !== 'GET') return route.continue();
      list ??= await route.fetch();
      return route.fulfill({ response: list });
    });
    await openPeople(page);
    await rowOf(page, 'quin').getByRole('button').click();
    const dialog = page.getByRole('dialog', { name: 'quin' });
    await dialog.getByLabel('Name').fill('quincy');
    await people.change({ name: 'quin', roles: ['markets'], accounts: ['NORD-105'] });
    await dialog.getByRole('button', { name: 'Disable quin' }).press('Enter');
    await dialog.getByRole('button', { name: 'Confirm: disable quin' }).press('Enter');
    await expect(dialog.getByText('"quin" has been changed meanwhile, so nothing was saved.')).toBeVisible();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(dialog.getByText('"quin" has been changed meanwhile, so nothing was saved.')).toHaveCount(2);
    await page.unroute('**/api/desk/people');
    const changed = dialog.getByRole('group', { name: 'Changed meanwhile' });
    await expect(changed).toContainText('Now: quin, markets. No orders.', { timeout: 30_000 });
    await expectNoViolation(page, { part: '[role=dialog]' });
    await changed.getByRole('button', { name: 'Discard mine and reload' }).click();
    await expect(dialog.getByLabel('Name')).toHaveValue('quin');
    await expect(dialog.getByRole('checkbox', { name: /^operations/ })).not.toBeChecked();
    await dialog.getByLabel('Name').fill('quincy');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(rowOf(page, 'quincy')).toContainText('markets');
  });
});

test('nobody else opens it', async ({ page, people }) => {
  await people.add({ name: 'rosa', roles: ['operations'] });
  await page.goto('/people');
  await signIn(page, 'rosa');
  await expect(page.getByRole('heading', { name: 'You do not have access to People' })).toBeVisible();
});

test('the people fit the window in every look, without an accessibility violation', async ({ page }) => {
  const sizes = [
    [390, 800],
    [1280, 800],
    [2560, 800],
  ] as const;
  await page.setViewportSize({ width: 390, height: 800 });
  await openPeople(page);
  await inEachLook(page, sizes, async (look) => {
    await expectAccessible(page, look);
    await expectToFit(page, look);
    await takeShot(page, `people-${look.colorScheme}-${String(look.width)}`);
  });
  await rowOf(page, ADMIN).getByRole('button').click();
  await inEachLook(page, sizes, async (look) => {
    await expect(page.getByRole('dialog', { name: ADMIN }).getByRole('button', { name: 'Save' })).toBeVisible();
    await expectAccessible(page, look, { part: '[role=dialog]' });
    await takeShot(page, `person-${look.colorScheme}-${String(look.width)}`);
  });
});
