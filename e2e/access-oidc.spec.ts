import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import { FORGERY_HEADER, OIDC_PATHS, type DeskMe } from '#contract/desk/access.ts';
import { ACTION_HEADER } from '#contract/desk/actions.ts';
import { FAILURE_FRAGMENT } from '#contract/desk/oidc.ts';
import { startVenue } from '#venue/conformance/run-conformance.ts';
import { findFreePort } from '#testing/free-port.ts';
import { CLIENT, GROUPS_PATH, REVOKED_PATH } from '#testing/oidc/people.ts';
import { startServer } from '#testing/start-desk.ts';
import { startProcess } from '#testing/start-process.ts';
import { expectAccessible, expectToFit, inEachLook } from './looks.ts';
import { deletePerson, expectViewsToFollow, rowOf } from './provided-people.ts';
import { test as watched } from './watched-page.ts';

interface OidcDesk {
  readonly address: string;
  /** The origin of the provider. */
  readonly issuer: string;
}

/** A server whose people sign in at a provider, which is a separate process and another site. */
const test = watched.extend<object, { readonly desk: OidcDesk }>({
  desk: [
    async ({}, use) => {
      const folder = mkdtempSync(join(tmpdir(), 'perpdesk-oidc-'));
      const groups = join(folder, 'groups.json');
      writeFileSync(
        groups,
        JSON.stringify({
          traders: { roles: ['orders'], accounts: ['NORD-105'] },
          desk: { roles: ['operations', 'admin'], all: true },
        }),
      );
      const [port, providerPort] = [await findFreePort(), await findFreePort()];
      const [address, issuer] = [`http://localhost:${String(port)}`, `http://127.0.0.1:${String(providerPort)}`];
      const provider = await startProcess('src/testing/oidc/main.ts', [String(providerPort), address]);
      const venue = await startVenue(['--history-days', '40', '--orders', '200', '--working', '50']);
      const server = await startServer(venue.address, join(folder, 'data'), {
        ...{
          DESK_PORT: String(port),
          DESK_PUBLIC_URL: address,
          DESK_ACCESS: 'oidc',
          DESK_GROUPS: groups,
          DESK_OIDC_ISSUER: issuer,
        },
        ...{ DESK_OIDC_CLIENT_ID: CLIENT.id, DESK_OIDC_CLIENT_SECRET: CLIENT.secret, DESK_OIDC_REFRESH_SECONDS: '10' },
      });
      await use({ address, issuer });
      await server.stop();
      await Promise.all([venue.stop(), provider.stop()]);
      rmSync(folder, { recursive: true, force: true });
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  baseURL: async ({ desk }, use) => {
    await use(desk.address);
  },
  // The provider's pages load a font from a third site, which need not exist.
  context: async ({ context }, use) => {
    await context.route(/fonts\.googleapis/, (route) => route.abort());
    await use(context);
  },
});

// The provider is another site, whose pages load a font from a third one. It rejects requests with a status.
test.use({ provoked: /127\.0\.0\.1|fonts\.googleapis|Failed to load resource/ });

/** Signs in on the provider's own pages. */
async function signIn(page: Page, name: string, to: string): Promise<void> {
  await page.goto(`${OIDC_PATHS.begin}?to=${encodeURIComponent(to)}`);
  await submitName(page, name);
}

async function submitName(page: Page, name: string): Promise<void> {
  await page.locator('input[name=login]').fill(name);
  await page.locator('input[name=password]').fill('any');
  await page.getByRole('button', { name: 'Sign-in' }).click();
  await page.getByRole('button', { name: 'Continue' }).click();
}

/** One and a half intervals, plus what a slow machine takes in addition. */
const REFRESHED = 45_000;

const readMe = (page: Page): Promise<DeskMe> =>
  page.evaluate(async () => (await (await fetch('/api/desk/me')).json()) as DeskMe);

test('a person signs in at the provider, has what their groups allow, and signs out at both', async ({
  page,
  desk,
}) => {
  await signIn(page, 'ann', '/?sort=price');
  await expect(page).toHaveURL(`${desk.address}/?sort=price`);
  const { me, forgery_token: token } = await readMe(page);
  expect(me).toMatchObject({
    id: 'ann',
    name: 'ann',
    roles: ['orders'],
    scope: { all: false, accounts: ['NORD-105'] },
    way: 'oidc',
  });
  const [cookie] = (await page.context().cookies()).filter(({ name }) => name === '__Host-perpdesk');
  expect(cookie).toMatchObject({ httpOnly: true, secure: true, sameSite: 'Lax', path: '/' });
  const location = await page.evaluate(
    async ([action, forgery, value]) => {
      const response = await fetch('/api/desk/sign-out', {
        method: 'POST',
        headers: { [action]: 'signOut', [forgery]: value },
      });
      return ((await response.json()) as { readonly location: string }).location;
    },
    [ACTION_HEADER, FORGERY_HEADER, token ?? ''] as const,
  );
  expect((await readMe(page)).me).toBeNull();
  // This provider refuses a hint that it did not issue, and asks nevertheless.
  expect(new URL(location).searchParams.has('id_token_hint')).toBe(true);
  await page.goto(location);
  await page.getByRole('button', { name: 'Yes, sign me out' }).click();
  await expect(page).toHaveURL(`${desk.address}/`);
  // The provider asks again who the person is.
  await page.goto(OIDC_PATHS.begin);
  await expect(page.locator('input[name=login]')).toBeVisible();
});

/** Expects the page that shows Perpdesk and its sign-in screen to explain a failure. */
async function expectFailure(page: Page, happened: string, remedy: string): Promise<void> {
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  await expect(page.getByRole('region').getByText(happened)).toBeVisible();
  await expect(page.getByRole('region').getByText(remedy)).toBeVisible();
  await expect(page).not.toHaveURL(/#/);
}

const orders = (page: Page) => page.getByRole('heading', { name: 'Working orders', exact: true });

/** Acts as an administrator of the provider. */
async function atProvider({ issuer }: OidcDesk, path: string, query: Readonly<Record<string, string>>): Promise<void> {
  expect((await fetch(`${issuer}${path}?${new URLSearchParams(query).toString()}`)).status).toBe(200);
}

test('a person without a role reads why, and signs in as another person', async ({ page, desk }) => {
  await signIn(page, 'eve', '/orders?q=p');
  await expectFailure(page, 'You have no role in this Perpdesk.', 'none of your groups has a role here');
  expect((await readMe(page)).me).toBeNull();
  await page.getByRole('link', { name: 'Sign in as another person' }).click();
  await submitName(page, 'ann');
  await expect(page).toHaveURL(`${desk.address}/orders?q=p`);
  expect((await readMe(page)).me).toMatchObject({ id: 'ann' });
});

test('a person who cancels reads so, once, and can sign in again', async ({ page, desk }) => {
  await page.setViewportSize({ width: 390, height: 700 });
  await page.goto(`${OIDC_PATHS.begin}?to=/orders`);
  await page.getByRole('link', { name: 'Cancel' }).click();
  await expectFailure(
    page,
    'You were not signed in.',
    'The sign-in was cancelled, or your provider does not allow you to use Perpdesk.',
  );
  await expect(page).toHaveURL(`${desk.address}/orders`);
  await inEachLook(
    page,
    [
      [390, 700],
      [1280, 700],
    ],
    async (look) => {
      await expectAccessible(page, look);
      await expectToFit(page, look);
    },
  );
  const again = page.getByRole('link', { name: 'Sign in again' });
  await expect(again).toHaveAttribute('href', `${OIDC_PATHS.begin}?to=%2Forders`);
  await page.reload();
  await expect(page.getByRole('link', { name: 'Continue with single sign-on' })).toBeVisible();
  await expect(page.getByText('You were not signed in.')).toHaveCount(0);
});

test('a sign-in that cannot be completed, and a provider that is away, are explained, and nothing else is', async ({
  page,
}) => {
  await page.goto(`${OIDC_PATHS.callback}?state=%3Cb%3Eabc&code=abc`);
  await expectFailure(page, 'This sign-in can no longer be completed.', 'Sign in again.');
  await expect(page.getByRole('link', { name: 'Sign in again' })).toBeVisible();
  await page.goto(`/orders${FAILURE_FRAGMENT}provider-away`);
  await expectFailure(page, 'Your provider does not respond.', 'Try again in a moment.');
  await page.goto(`/orders${FAILURE_FRAGMENT}%3Cb%3Eabc`);
  await page.reload();
  await expect(page.getByRole('link', { name: 'Continue with single sign-on' })).toBeVisible();
  await expect(page.getByText('abc')).toHaveCount(0);
});

test('who signs out at the provider is signed out here, in open pages as well', async ({ page, context, desk }) => {
  await signIn(page, 'ann', '/orders');
  await expect(orders(page)).toBeVisible();
  const elsewhere = await context.newPage();
  await elsewhere.goto(`${desk.issuer}/session/end`);
  await elsewhere.getByRole('button', { name: 'Yes, sign me out' }).click();
  await expect(elsewhere.getByText('Sign-out Success')).toBeVisible();
  await expect(page.getByText('Your session has ended. Sign in again as ann')).toBeVisible();
  await expect(orders(page)).toHaveCount(0);
});

test('what a person saves follows them to another browser; another person sees only what is shared with their role', async ({
  page,
  strangersPage,
}) => {
  await expectViewsToFollow(page, strangersPage, signIn, 'fay', 'gil');
});

test('an administrator deletes a person, who is signed out, and can come back', async ({ page, strangersPage }) => {
  await signIn(strangersPage, 'hugh', '/orders');
  await expect(orders(strangersPage)).toBeVisible();
  await signIn(page, 'bo', '/people');
  await expect(page.getByText('This list has everyone who has signed in')).toBeVisible();
  await expect(rowOf(page, 'hugh').getByRole('cell', { name: 'orders', exact: true })).toBeVisible();
  await deletePerson(page, 'hugh');
  await expect(rowOf(page, 'hugh')).toHaveCount(0);
  await expect(strangersPage.getByText('Your session has ended. Sign in again as hugh')).toBeVisible();
  await strangersPage.context().clearCookies();
  await signIn(strangersPage, 'hugh', '/orders');
  await expect(orders(strangersPage)).toBeVisible();
  await expect(rowOf(page, 'hugh')).toBeVisible({ timeout: 15_000 });
});

test('roles follow the groups at the provider while the page is open, until the provider no longer allows it', async ({
  page,
  desk,
}) => {
  test.setTimeout(240_000);
  const grid = page.getByRole('grid', { name: 'Working orders' });
  const rules = page.getByRole('navigation').getByRole('link', { name: 'Rules' });
  await signIn(page, 'cy', '/orders');
  await expect(orders(page)).toBeVisible();
  await expect(rules).toHaveCount(0);
  await atProvider(desk, GROUPS_PATH, { name: 'cy', groups: 'desk' });
  await expect(rules).toBeVisible({ timeout: REFRESHED });
  await expect(grid).toBeVisible();
  await atProvider(desk, GROUPS_PATH, { name: 'cy', groups: 'traders' });
  await expect(rules).toHaveCount(0, { timeout: REFRESHED });
  await expect(orders(page)).toBeVisible();
  await expect(grid.getByText(/^(?!NORD-105)[A-Z]{4}-\d{3}$/)).toHaveCount(0);
  await atProvider(desk, REVOKED_PATH, { name: 'cy' });
  await expect(page.getByText('Your session has ended. Sign in again as cy')).toBeVisible({ timeout: REFRESHED });
});
