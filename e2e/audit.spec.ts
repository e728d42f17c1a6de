import { readFileSync } from 'node:fs';
import { expect, type Page } from '@playwright/test';
import type { DeskAudit } from '#contract/desk/access.ts';
import { runProgram } from '#testing/run-program.ts';
import { expectNoViolation } from './expect-no-violation.ts';
import { expectAccessible, expectToFit, inEachLook } from './looks.ts';
import { ADMIN, signIn, test } from './people-desk.ts';
import { takeShot } from './take-shot.ts';

const table = (page: Page) => page.getByRole('group', { name: 'Audit log, newest first' });

async function openAudit(page: Page): Promise<void> {
  await page.goto('/audit');
  await signIn(page, ADMIN);
  await expect(table(page).getByRole('row').nth(1)).toBeVisible();
}

test('it says who did what, the newest first, and of one person alone', async ({ page, strangersPage, people }) => {
  await people.add({ name: 'sven', roles: ['markets'] });
  await strangersPage.goto(people.address);
  await signIn(strangersPage, 'sven');
  await expect(strangersPage.getByRole('button', { name: 'Account: sven' })).toBeVisible();
  await openAudit(page);
  await expect(table(page).getByRole('row').nth(1)).toContainText(ADMIN);
  await page.getByLabel('Who').selectOption('sven');
  await expect(table(page).getByRole('row').nth(1)).toContainText('sign-in');
  for (const row of await table(page).getByRole('row').all()) await expect(row).toContainText(/sven|Who/);
  await page.reload();
  await expect(page.getByLabel('Who').locator('option:checked')).toHaveText('sven');
});

test('it can be narrowed to one kind of entry, of all people or of one, and says so if there is none', async ({
  page,
}) => {
  await openAudit(page);
  const kinds = () => table(page).getByRole('row').locator('td:nth-child(4)').allInnerTexts();
  await page.getByLabel('What').selectOption('person changed');
  await expect(page).toHaveURL(/kind=person/);
  await expect.poll(async () => [...new Set(await kinds())]).toEqual(['person changed']);
  await page.reload();
  await expect.poll(async () => [...new Set(await kinds())]).toEqual(['person changed']);
  await page.getByLabel('What').selectOption('sign-in refused');
  await page.getByLabel('Who').selectOption(ADMIN);
  await expect(page.getByText('The audit log has no entries that match.')).toBeVisible();
  await expectNoViolation(page);
});

test('its chain is checked in the browser, and saved as lines', async ({ page }) => {
  await openAudit(page);
  await page.getByRole('button', { name: 'Check chain' }).press('Enter');
  await expect(page.getByRole('main').getByText(/The chain is unbroken from entry 1 to \d+\./)).toBeVisible();
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export JSON lines' }).press('Enter');
  const download = await saved;
  expect(download.suggestedFilename()).toMatch(/^audit-.*\.jsonl$/);
  const lines = readFileSync(await download.path(), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { readonly number?: number });
  expect(lines.flatMap(({ number }) => number ?? []).slice(0, 3)).toEqual([1, 2, 3]);
  const { code, stdout } = await runProgram('src/server/main/audit.ts', ['check', await download.path()]);
  expect([code, stdout]).toEqual([
    0,
    `The audit log is intact: ${String(lines.length - 1)} entries, none changed or missing.\n`,
  ]);
});

test('an entry that was changed on its way is found', async ({ page }) => {
  await page.route('**/api/desk/audit?*', async (route) => {
    const response = await route.fetch();
    await route.fulfill({
      response,
      body: (await response.text()).replace('Chose a password with an invitation.', 'Chose a password.'),
    });
  });
  await openAudit(page);
  await page.getByRole('button', { name: 'Check chain' }).click();
  await expect(
    page.getByRole('main').getByText(/The chain is broken\. Entry \d+ is not as it was written\./),
  ).toBeVisible();
});

test('the newest entries that were deleted are missed, also where none is left', async ({ page }) => {
  await openAudit(page);
  for (const kept of [2, 0]) {
    await page.route('**/api/desk/audit?*', async (route) => {
      const response = await route.fetch();
      const log = (await response.json()) as DeskAudit;
      await route.fulfill({ response, json: { ...log, entries: log.entries.filter(({ number }) => number <= kept) } });
    });
    await page.getByRole('button', { name: 'Check chain' }).click();
    await expect(
      page
        .getByRole('main')
        .getByText(
          new RegExp(
            `The chain is broken\\. The newest entries are missing: the last one is ${String(kept)}, but Perpdesk has written \\d+\\.`,
          ),
        ),
    ).toBeVisible();
  }
});

test('the audit fits the window in every look, without an accessibility violation', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 800 });
  await openAudit(page);
  await inEachLook(
    page,
    [
      [390, 800],
      [1280, 800],
      [2560, 800],
    ],
    async (look) => {
      await expectAccessible(page, look);
      await expectToFit(page, look);
      await takeShot(page, `audit-${look.colorScheme}-${String(look.width)}`);
    },
  );
});
