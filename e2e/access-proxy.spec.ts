import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, type BrowserContext, type Page } from '@playwright/test';
import { startVenue } from '#venue/conformance/run-conformance.ts';
import { AUDIENCE, ISSUER, startAuthServer } from '#testing/proxy/auth-server.ts';
import { startCaddy } from '#testing/proxy/start-caddy.ts';
import { startServer } from '#testing/start-desk.ts';
import { deletePerson, expectViewsToFollow, rowOf } from './provided-people.ts';
import { test as watched } from './watched-page.ts';

/** A server behind Caddy, which asks another server who people are and passes on its signed tokens. */
const test = watched.extend<object, { readonly address: string }>({
  address: [
    async ({}, use) => {
      const folder = mkdtempSync(join(tmpdir(), 'perpdesk-behind-'));
      const groups = join(folder, 'groups.json');
      writeFileSync(
        groups,
        JSON.stringify({
          traders: { roles: ['orders'], firms: ['NORD'] },
          desk: { roles: ['operations', 'admin'], all: true },
        }),
      );
      const auth = await startAuthServer();
      const venue = await startVenue(['--history-days', '40', '--orders', '200', '--working', '50']);
      const server = await startServer(venue.address, join(folder, 'data'), {
        ...{
          DESK_ACCESS: 'proxy',
          DESK_GROUPS: groups,
          DESK_PROXY_JWT_HEADER: 'Proxy-Token',
          DESK_PROXY_JWT_ISSUER: ISSUER,
        },
        ...{ DESK_PROXY_JWT_AUDIENCE: AUDIENCE, DESK_PROXY_JWT_KEYS: `http://${auth.host}/keys` },
      });
      const caddy = await startCaddy(
        `forward_auth ${auth.host} {\n uri /\n copy_headers Proxy-Token\n}\nreverse_proxy ${new URL(server.address).host}`,
      );
      await use(caddy.address);
      await caddy.stop();
      await server.stop();
      await Promise.all([venue.stop(), auth.close()]);
      rmSync(folder, { recursive: true, force: true });
    },
    // The first run may install the proxy.
    { scope: 'worker', timeout: 300_000 },
  ],
  baseURL: async ({ address }, use) => {
    await use(address);
  },
});

// The tests run in one worker, because a second one would start the same servers again.
test.describe.configure({ mode: 'default' });

// People without a role are rejected with a status.
test.use({ provoked: /status of 403/ });

async function open(
  page: Page,
  context: BrowserContext,
  baseURL: string | undefined,
  who: string,
  path: string,
): Promise<void> {
  await context.addCookies([{ name: 'who', value: who, url: baseURL ?? '' }]);
  await page.goto(path);
}

test(
  'whoever the proxy names sees what their groups allow, pushed, without a sign-in',
  { tag: '@deploy' },
  async ({ page, context, baseURL }) => {
    await open(page, context, baseURL, 'ann.traders', '/orders');
    await expect(page.getByRole('button', { name: 'ann' })).toBeVisible();
    const grid = page.getByRole('grid', { name: 'Working orders' });
    await expect(grid.getByText(/^NORD-/).first()).toBeVisible();
    await expect(grid.getByText(/^(?!NORD)[A-Z]{4}-\d{3}$/)).toHaveCount(0);
    const orders = await page.evaluate(
      async () =>
        ((await (await fetch('/api/desk/working')).json()) as { orders: { clearing_firm_code: string }[] }).orders,
    );
    expect(new Set(orders.map((order) => order.clearing_firm_code))).toEqual(new Set(['NORD']));
    await expect(page.getByText(`${String(orders.length)} of ${String(orders.length)} shown`)).toBeVisible();
    await expect(page.getByRole('navigation').getByRole('link', { name: 'Rules' })).toHaveCount(0);
  },
);

test(
  'an administrator reads the list of people, which their provider keeps',
  { tag: '@deploy' },
  async ({ page, context, baseURL }) => {
    await open(page, context, baseURL, 'bo.desk', '/people');
    await expect(page.getByRole('heading', { name: 'People' }).first()).toBeVisible();
    await expect(page.getByRole('button', { name: 'Add person' })).toHaveCount(0);
  },
);

test(
  'what a person saves follows them to another browser; another person sees only what is shared with their role',
  { tag: '@deploy' },
  async ({ page, strangersPage, baseURL }) => {
    const groups: Readonly<Record<string, string>> = { fay: 'desk', gil: 'traders' };
    await expectViewsToFollow(
      page,
      strangersPage,
      (opened, name, path) => open(opened, opened.context(), baseURL, `${name}.${groups[name] ?? ''}`, path),
      'fay',
      'gil',
    );
  },
);

test('an administrator deletes a person who has left', { tag: '@deploy' }, async ({ page, strangersPage, baseURL }) => {
  await open(strangersPage, strangersPage.context(), baseURL, 'hugh.traders', '/orders');
  await expect(strangersPage.getByRole('button', { name: 'Account: hugh' })).toBeVisible();
  await strangersPage.close();
  await open(page, page.context(), baseURL, 'bo.desk', '/people');
  await expect(rowOf(page, 'hugh').getByRole('cell', { name: 'orders', exact: true })).toBeVisible();
  await expect(page.getByRole('columnheader', { name: 'Sessions' })).toHaveCount(0);
  await deletePerson(page, 'hugh');
  await expect(rowOf(page, 'hugh')).toHaveCount(0);
});

test(
  'somebody without a group that has a role reads what to do',
  { tag: '@deploy' },
  async ({ page, context, baseURL }) => {
    await open(page, context, baseURL, 'eve.others', '/orders');
    await expect(page.getByRole('heading', { name: /No role yet|You do not have access to Orders/ })).toBeVisible();
  },
);
