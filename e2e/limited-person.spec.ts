import { readFileSync } from 'node:fs';
import { expect, type Page } from '@playwright/test';
import type { DeskAudit } from '#contract/desk/access.ts';
import { createHttpPerson, PASSWORD } from '#testing/access/http-person.ts';
import { ADMIN, signIn, test } from './people-desk.ts';

/** Matches paths that need more than the role `markets`, or a sign-in. */
const CLOSED = /^\/(?:orders|rules|people|audit)\b/;

async function open(page: Page, path: string, name: string): Promise<void> {
  await page.goto(path);
  await signIn(page, name);
  await expect(page.getByRole('button', { name: `Account: ${name}` })).toBeVisible();
}

/** Returns the addresses of links, and of cells that lead somewhere. */
async function addressesIn(page: Page): Promise<readonly string[]> {
  return page.evaluate(() =>
    Array.from(document.querySelectorAll('a[href]'), (link) => new URL((link as HTMLAnchorElement).href).pathname),
  );
}

test('who may see markets only finds no way to anything else on any screen, and nothing is refused', async ({
  page,
  people,
}) => {
  await people.add({ name: 'mia', roles: ['markets'] });
  await open(page, '/', 'mia');
  const refused: string[] = [];
  page.on('response', (response) => {
    if (response.status() === 403) refused.push(response.url());
  });
  for (const path of ['/', '/price', '/curve', '/volume', '/funding', '/funding/BTCUC', '/status', '/account']) {
    await page.goto(path);
    await expect(page.getByRole('main').getByRole('heading').first()).toBeAttached();
    await page.waitForLoadState('networkidle').catch(() => undefined);
    expect([path, (await addressesIn(page)).filter((address) => CLOSED.test(address))]).toEqual([path, []]);
    await expect(
      page.getByRole('columnheader', { name: 'Orders' }).or(page.getByRole('link', { name: 'Orders' })),
    ).toHaveCount(0);
  }
  await page.goto('/');
  await expect(page.getByRole('button', { name: 'Account: mia' })).toBeVisible();
  await page.keyboard.press('ControlOrMeta+k');
  await page.getByRole('dialog').getByRole('combobox').fill('orders BTC');
  await expect(page.getByRole('option').filter({ hasText: /orders|history/i })).toHaveCount(0);
  await page.keyboard.press('Escape');
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toContainText('Markets');
  await expect(
    page
      .getByRole('dialog', { name: 'Keyboard shortcuts' })
      .getByText(/^(?:Orders|History|Activity|Rules|People|Audit)$/),
  ).toHaveCount(0);
  expect(refused).toEqual([]);
});

async function exportOrders(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Export', exact: true }).press('Enter');
  await page
    .getByRole('dialog', { name: 'Export' })
    .getByRole('button', { name: /^Export \d/ })
    .press('Enter');
}

test('orders are saved once the audit has the export, with its filter and rows, and not at all where it cannot be recorded', async ({
  page,
  people,
}) => {
  await people.add({ name: 'leif', roles: ['orders'], firms: ['NORD', 'MERI'] });
  await open(page, '/orders?f=side:is:Bid', 'leif');
  const saved: string[] = [];
  page.on('download', (download) => saved.push(download.suggestedFilename()));
  await page.route('**/api/desk/exports', (route) =>
    route.fulfill({
      status: 403,
      contentType: 'application/problem+json',
      json: {
        type: 'urn:perpdesk:problem:desk-cannot-write',
        title: 'Not stored',
        status: 403,
        detail: 'Perpdesk cannot write to its database.',
        instance: 'x',
      },
    }),
  );
  await exportOrders(page);
  await expect(page.getByRole('dialog', { name: 'Export' })).toContainText(
    'Nothing was saved or copied, because the export could not be recorded in the audit.',
  );
  expect(saved).toEqual([]);
  await page.unroute('**/api/desk/exports');
  const [download] = await Promise.all([
    page.waitForEvent('download', (each) => each.suggestedFilename().endsWith('.csv')),
    page
      .getByRole('dialog', { name: 'Export' })
      .getByRole('button', { name: /^Export \d/ })
      .press('Enter'),
  ]);
  const rows =
    readFileSync(await download.path(), 'utf8')
      .trimEnd()
      .split('\r\n').length - 1;
  expect(rows).toBeGreaterThan(1);
  const admin = createHttpPerson(people.address);
  expect((await admin.act('signIn', { name: ADMIN, password: PASSWORD })).status).toBe(200);
  const { entries } = (await admin.get('/api/desk/audit?limit=100')).body as unknown as DeskAudit;
  const exported = entries.filter(({ kind, name }) => kind === 'exported' && name === 'leif');
  expect(exported).toMatchObject([
    {
      filter: new URL(page.url()).pathname + new URL(page.url()).search,
      rows,
      detail: `Saved or copied rows: ${download.suggestedFilename()}.`,
    },
  ]);
});
