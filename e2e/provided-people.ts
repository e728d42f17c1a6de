import { expect, type Locator, type Page } from '@playwright/test';
import { expectNoViolation } from './expect-no-violation.ts';
import { manageViews, saveView, viewsButton } from './orders-desk.ts';

/** Signs a person in wherever identity is established, and opens a path. */
type Open = (page: Page, name: string, path: string) => Promise<void>;

/** The page reads what is saved after it has loaded everything else. */
const SOON = { timeout: 30_000 };

const menu = (page: Page): Locator => page.getByRole('dialog', { name: 'Open a view' });

/** Expects what a person saves to be theirs in each browser. Others see only what is shared with their role. */
export async function expectViewsToFollow(
  page: Page,
  elsewhere: Page,
  open: Open,
  owner: string,
  other: string,
): Promise<void> {
  await open(page, owner, '/orders?f=side:is:Ask');
  await saveView(page, 'Asks');
  await manageViews(page);
  const dialog = page.getByRole('dialog', { name: 'Saved views' });
  await expect(dialog).toContainText('Saved in Perpdesk: the same in all of your browsers.', SOON);
  await dialog.getByRole('button', { name: 'Close' }).click();
  await page.goto('/orders?f=side:is:Bid');
  await saveView(page, 'Bids');
  await manageViews(page);
  await dialog.getByRole('button', { name: 'Share Bids with a role' }).click();
  const form = dialog.getByRole('form', { name: 'Share Bids' });
  await form.getByRole('combobox').selectOption('orders');
  await form.getByRole('button', { name: 'Share' }).click();
  await expect(dialog.getByRole('list', { name: 'Shared views' })).toContainText('Bids');

  await open(elsewhere, owner, '/orders');
  await expect
    .poll(() => elsewhere.evaluate(() => localStorage.getItem('perpdesk.orders.views')), SOON)
    .toContain('Asks');
  await viewsButton(elsewhere).click();
  await menu(elsewhere).getByRole('button', { name: 'Asks' }).click();
  await expect(elsewhere.getByRole('button', { name: /Side is Ask/ })).toBeVisible();

  // The page must not send requests without a person.
  await elsewhere.goto('about:blank');
  await elsewhere.context().clearCookies();
  await open(elsewhere, other, '/orders');
  await expect(elsewhere.getByRole('button', { name: `Account: ${other}` })).toBeVisible(SOON);
  await viewsButton(elsewhere).click();
  await expect(
    menu(elsewhere).getByRole('list', { name: 'Shared views' }).getByRole('button', { name: 'Bids' }),
  ).toHaveText(`Bids by ${owner}, for the orders role`);
  await expect(menu(elsewhere).getByRole('button', { name: 'Asks' })).toHaveCount(0);
}

/** Returns a person's row on the screen of an administrator. */
export const rowOf = (page: Page, name: string): Locator =>
  page
    .getByRole('table', { name: 'People' })
    .getByRole('row')
    .filter({ has: page.getByRole('button', { name, exact: true }) });

/** Deletes a person as an administrator, who reads what this means before pressing a second time. */
export async function deletePerson(admin: Page, name: string): Promise<void> {
  await rowOf(admin, name).getByRole('button').click();
  const dialog = admin.getByRole('dialog', { name });
  await expect(dialog).toContainText(
    `After you delete ${name}, they can sign in again for as long as the provider or proxy allows it`,
  );
  await expect(dialog.getByRole('button', { name: 'Create invitation link' })).toHaveCount(0);
  await dialog.getByRole('button', { name: `Delete ${name}` }).press('Enter');
  await expect(dialog.getByText('Delete, with sessions, saved views and preferences?')).toBeVisible();
  await expectNoViolation(admin, { part: '[role=dialog]' });
  await dialog.getByRole('button', { name: `Confirm: delete ${name}` }).press('Enter');
  await expect(dialog).toHaveCount(0);
}
