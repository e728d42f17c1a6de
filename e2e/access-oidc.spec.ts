import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import { FORGERY_HEADER, OIDC_PATHS, type DeskMe } from '#contract/desk-access.ts';
import { ACTION_HEADER } from '#contract/desk-actions.ts';
import { startVenue } from '#testing/conformance/run-conformance.ts';
import { findFreePort } from '#testing/free-port.ts';
import { CLIENT } from '#testing/oidc/people.ts';
import { startGateway } from '#testing/start-desk.ts';
import { startProcess, type StartedProcess } from '#testing/start-process.ts';
import { test as watched } from './watched-page.ts';

interface OidcDesk {
  readonly address: string;
  readonly provider: StartedProcess;
}

/** A desk whose people sign in at a provider, which is a process of its own and another site. */
const test = watched.extend<{ readonly desk: OidcDesk }>({
  desk: async ({}, use) => {
    const folder = mkdtempSync(join(tmpdir(), 'perpdesk-oidc-'));
    const groups = join(folder, 'groups.json');
    writeFileSync(groups, JSON.stringify({ traders: { roles: ['orders'], accounts: ['NORD-105'] }, desk: { roles: ['operations', 'admin'], all: true } }));
    const [port, providerPort] = [await findFreePort(), await findFreePort()];
    const address = `http://localhost:${String(port)}`;
    const provider = await startProcess('src/testing/oidc/main.ts', [String(providerPort), address]);
    const venue = await startVenue(['--history-days', '40', '--orders', '200', '--working', '50']);
    const gateway = await startGateway(venue.address, join(folder, 'data'), {
      ...{ DESK_PORT: String(port), DESK_PUBLIC_URL: address, DESK_ACCESS: 'oidc', DESK_GROUPS: groups },
      ...{ DESK_OIDC_ISSUER: new URL(provider.address).origin, DESK_OIDC_CLIENT_ID: CLIENT.id, DESK_OIDC_CLIENT_SECRET: CLIENT.secret },
    });
    await use({ address, provider });
    await gateway.stop();
    await Promise.all([venue.stop(), provider.stop()]);
    rmSync(folder, { recursive: true, force: true });
  },
  baseURL: async ({ desk }, use) => {
    await use(desk.address);
  },
});

// The provider is another site, whose pages load a font from a third one; and who is refused is refused with a status.
test.use({ provoked: /127\.0\.0\.1|fonts\.googleapis|Failed to load resource/ });

/** Signs in at the provider's own pages. */
async function signIn(page: Page, name: string, to: string): Promise<void> {
  await page.goto(`${OIDC_PATHS.begin}?to=${encodeURIComponent(to)}`);
  await page.getByRole('textbox', { name: 'login' }).or(page.locator('input[name=login]')).first().fill(name);
  await page.locator('input[name=password]').fill('any');
  await page.getByRole('button', { name: 'Sign-in' }).click();
  await page.getByRole('button', { name: 'Continue' }).click();
}

const readMe = (page: Page): Promise<DeskMe> => page.evaluate(async () => (await (await fetch('/api/desk/me')).json()) as DeskMe);

test('a person signs in at the provider, has what their groups allow, and signs out at both', async ({ page, desk }) => {
  await signIn(page, 'ann', '/?sort=price');
  await expect(page).toHaveURL(`${desk.address}/?sort=price`);
  const { me, forgery_token: token } = await readMe(page);
  expect(me).toMatchObject({ id: 'ann', name: 'ann', roles: ['orders'], scope: { all: false, accounts: ['NORD-105'] }, way: 'oidc' });
  const [cookie] = (await page.context().cookies()).filter(({ name }) => name === '__Host-perpdesk');
  expect(cookie).toMatchObject({ httpOnly: true, secure: true, sameSite: 'Lax', path: '/' });
  const status = await page.evaluate(async ([action, forgery, value]) => (await fetch('/api/desk/sign-out', { method: 'POST', headers: { [action]: 'signOut', [forgery]: value } })).status, [ACTION_HEADER, FORGERY_HEADER, token ?? ''] as const);
  expect(status).toBe(200);
  expect((await readMe(page)).me).toBeNull();
  await page.goto(OIDC_PATHS.signOut);
  await page.getByRole('button', { name: 'Yes, sign me out' }).click();
  // The provider asks who it is again.
  await page.goto(OIDC_PATHS.begin);
  await expect(page.locator('input[name=login]')).toBeVisible();
});

test('a person without a role reads why, with a way back', async ({ page }) => {
  await signIn(page, 'eve', '/');
  await expect(page.getByRole('heading', { name: 'Not signed in' })).toBeVisible();
  await expect(page.getByText('signed you in as eve, but none of your groups has a role in this Perpdesk')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Back to Perpdesk' })).toHaveAttribute('href', '/');
  expect((await readMe(page)).me).toBeNull();
});
