import { expect, type Locator, type Page } from '@playwright/test';
import { expectNoViolation } from './expect-no-violation.ts';
import { expectAccessible, inEachLook } from './looks.ts';
import { manageViews, openOrders, saveView, test as deskTest, viewsButton } from './orders-desk.ts';
import { signIn, test as peopleTest } from './people-desk.ts';

const EVERYWHERE = 'Saved in Perpdesk: the same in all of your browsers.';
/** The page reads what is saved after it has loaded everything else. */
const SOON = { timeout: 15_000 };

const dialog = (page: Page): Locator => page.getByRole('dialog', { name: 'Saved views' });
const menu = (page: Page): Locator => page.getByRole('dialog', { name: 'Open a view' });
const shared = (page: Page): Locator => dialog(page).getByRole('list', { name: 'Shared views' });
/** Finds the view of this test. Other tests share views with the same roles. */
const bids = (page: Page): Locator => shared(page).getByRole('listitem').filter({ hasText: /^Bids/ });

async function openAs(page: Page, name: string, query = ''): Promise<void> {
  await page.goto(`/orders${query}`);
  await signIn(page, name);
  await expect(viewsButton(page)).toBeVisible(SOON);
}

/** Signs in another person, or the same one again, if a person was signed in. */
async function changeTo(page: Page, name: string): Promise<void> {
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible({ timeout: 30_000 });
  await signIn(page, name);
  await expect(page.getByRole('button', { name: `Account: ${name}` })).toBeVisible(SOON);
  await page.goto('/orders');
  await expect(viewsButton(page)).toBeVisible(SOON);
}

peopleTest('what a person saves in one browser is there in another', async ({ page, strangersPage, people }) => {
  await people.add({ name: 'ann', roles: ['operations'] });
  await openAs(page, 'ann', '?f=side:is:Ask');
  await saveView(page, 'Asks');
  await manageViews(page);
  await expect(dialog(page)).toContainText(EVERYWHERE, SOON);
  await page.evaluate(() => {
    localStorage.setItem('perpdesk.preferences', '{"version":1,"theme":"dark","density":"compact"}');
  });
  await page.reload();
  await expect(page.locator(':root')).toHaveAttribute('data-density', 'compact');
  await expect.poll(() => page.evaluate(() => localStorage.getItem('perpdesk.saved')), SOON).toContain('compact');

  await openAs(strangersPage, 'ann');
  await expect(strangersPage.locator(':root')).toHaveAttribute('data-density', 'compact', SOON);
  await expect(strangersPage.locator(':root')).toHaveAttribute('data-theme', 'system');
  await viewsButton(strangersPage).click();
  await menu(strangersPage).getByRole('button', { name: 'Asks' }).click();
  await expect(strangersPage.getByRole('button', { name: /Side is Ask/ })).toBeVisible();
});

peopleTest(
  'on a shared browser, another person finds nothing of the one before, who finds everything again',
  async ({ page, people }) => {
    for (const name of ['kai', 'lou']) await people.add({ name, roles: ['operations'] });
    await openAs(page, 'kai', '?f=side:is:Ask');
    await saveView(page, 'Asks');
    await expect.poll(() => page.evaluate(() => localStorage.getItem('perpdesk.saved')), SOON).toContain('Asks');
    await people.endSessions('kai');
    await changeTo(page, 'lou');
    await viewsButton(page).click();
    await expect(menu(page)).toContainText('No saved views.');
    await people.endSessions('lou');
    await changeTo(page, 'kai');
    await expect.poll(() => page.evaluate(() => localStorage.getItem('perpdesk.orders.views')), SOON).toContain('Asks');
    await viewsButton(page).click();
    await expect(menu(page).getByRole('button', { name: 'Asks' })).toBeVisible();
  },
);

peopleTest(
  'a view is shared with a role: its people open and copy it, others do not see it, and only its owner stops sharing it',
  async ({ page, strangersPage, people }) => {
    await people.add({ name: 'thea', roles: ['operations'] });
    await people.add({ name: 'dan', roles: ['operations'] });
    await people.add({ name: 'eva', roles: ['orders'] });
    await openAs(page, 'thea', '?f=side:is:Bid');
    await saveView(page, 'Bids');
    await manageViews(page);
    await dialog(page).getByRole('button', { name: 'Share Bids with a role' }).press('Enter');
    const form = dialog(page).getByRole('form', { name: 'Share Bids' });
    await expect(form.getByRole('combobox')).toBeFocused();
    await form.getByRole('combobox').selectOption('operations');
    await expectNoViolation(page, { part: '[role=dialog]' });
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await expect(bids(page)).toHaveText([/Bids.*for the operations role/]);
    await expect(form).toHaveCount(0);

    await openAs(strangersPage, 'dan');
    await viewsButton(strangersPage).click();
    const offered = menu(strangersPage)
      .getByRole('list', { name: 'Shared views' })
      .getByRole('button', { name: 'Bids' });
    await expect(offered).toHaveText('Bids by thea, for the operations role');
    await expectNoViolation(strangersPage, { part: '[role=dialog]' });
    await offered.focus();
    await strangersPage.keyboard.press('ArrowDown');
    await expect(offered).not.toBeFocused();
    await strangersPage.keyboard.press('ArrowUp');
    await expect(offered).toBeFocused();
    await strangersPage.keyboard.press('Enter');
    await expect(strangersPage.getByRole('button', { name: /Side is Bid/ })).toBeVisible();
    await manageViews(strangersPage);
    await expect(bids(strangersPage).getByRole('button', { name: /^Stop sharing/ })).toHaveCount(0);
    await shared(strangersPage).getByRole('button', { name: 'Copy Bids to your views' }).click();
    await expect(dialog(strangersPage)).toContainText('Copied to your views as “Bids”.');
    await expect(
      dialog(strangersPage)
        .getByRole('list', { name: 'Saved views' })
        .getByRole('button', { name: 'Bids', exact: true }),
    ).toBeVisible();

    await shared(page).getByRole('button', { name: 'Stop sharing Bids with operations' }).click();
    await expect(bids(page)).toHaveCount(0);
    await dialog(page).getByRole('button', { name: 'Share Bids with a role' }).click();
    await form.getByRole('button', { name: 'Share' }).click();
    await expect(bids(page)).toHaveText([/Bids.*for the orders role/]);
    await people.endSessions('dan');
    await changeTo(strangersPage, 'eva');
    await manageViews(strangersPage);
    await expect(bids(strangersPage)).toHaveText([/Bids.*by thea, for the orders role/]);
  },
);

peopleTest(
  'a view that names an account is not seen by those who may not see its orders; its dialog fits narrow and wide windows, in both themes',
  async ({ page, strangersPage, people }) => {
    await people.add({ name: 'fred', roles: ['operations'] });
    await openAs(page, 'fred');
    const account = async (): Promise<string> =>
      String(
        (
          (await (await page.request.get('/api/desk/working')).json()) as {
            readonly orders: readonly { readonly account_id: string }[];
          }
        ).orders[0]?.account_id,
      );
    const code = await account();
    await people.add({ name: 'gus', roles: ['orders'], accounts: ['NONE-1'] });
    await page.goto(`/orders?codes=on&f=account:is:${code}`);
    await saveView(page, 'One account, all that rests far from the market for longer than a day');
    await manageViews(page);
    await dialog(page)
      .getByRole('button', { name: /^Share One account/ })
      .click();
    await dialog(page).getByRole('form').getByRole('button', { name: 'Share' }).click();
    await expect(shared(page).getByRole('listitem').filter({ hasText: 'One account' })).toBeVisible();
    await dialog(page)
      .getByRole('button', { name: /^Share One account/ })
      .click();
    await inEachLook(
      page,
      [
        [390, 900],
        [1_280, 900],
        [2_560, 900],
      ],
      async (look) => {
        const overflow = () =>
          dialog(page).evaluate((element) =>
            [element, ...element.querySelectorAll('*:not(input)')]
              .filter(({ scrollWidth, clientWidth }) => clientWidth > 0 && scrollWidth > clientWidth + 1)
              .map(({ tagName, textContent }) => `${tagName} ${textContent}`),
          );
        await expect.poll(overflow).toEqual([]);
        await expectAccessible(page, look, { part: '[role=dialog]' });
      },
    );
    await openAs(strangersPage, 'gus');
    await manageViews(strangersPage);
    await expect(dialog(strangersPage)).toContainText('beyond your scope are not listed');
    await expect(shared(strangersPage).getByRole('listitem').filter({ hasText: 'One account' })).toHaveCount(0);
  },
);

peopleTest.describe('where shared views cannot be read', () => {
  peopleTest.use({ provoked: /status of (?:40[13]|503)/ });
  peopleTest('the dialog says why, and own views are there all the same', async ({ page, people }) => {
    await people.add({ name: 'hal', roles: ['operations'] });
    await page.route('**/api/desk/shared-views', (route) =>
      route.fulfill({
        status: 503,
        contentType: 'application/problem+json',
        body: JSON.stringify({
          type: 'urn:perpdesk:problem:desk-cannot-read',
          title: 'Store unreadable',
          status: 503,
          detail: 'The store cannot be read.',
          instance: 'r-1',
        }),
      }),
    );
    await openAs(page, 'hal');
    await saveView(page, 'Mine');
    await manageViews(page);
    await expect(dialog(page)).toContainText('Shared views could not be loaded: The store cannot be read.', SOON);
    await expect(dialog(page).getByRole('button', { name: 'Mine', exact: true })).toBeVisible();
  });
});

deskTest.describe('while Perpdesk is out of reach', () => {
  deskTest.use({ provoked: /ERR_INTERNET_DISCONNECTED|request failed|LoadError/ });
  deskTest(
    'what is saved stays in this browser, which says so, and meets what others have saved meanwhile',
    async ({ page, strangersPage }) => {
      await openOrders(page, '?f=side:is:Ask');
      await saveView(page, 'Before');
      await manageViews(page);
      await expect(dialog(page)).toContainText(EVERYWHERE, SOON);
      await page.context().setOffline(true);
      await dialog(page).getByLabel('Name').fill('Meanwhile');
      await page.keyboard.press('Enter');
      await expect(dialog(page)).toContainText('Saved in this browser only. The server did not respond.', SOON);

      await openOrders(strangersPage, '?f=side:is:Bid');
      await expect
        .poll(() => strangersPage.evaluate(() => localStorage.getItem('perpdesk.orders.views')), SOON)
        .toContain('Before');
      await manageViews(strangersPage);
      await strangersPage.getByRole('button', { name: 'Delete Before' }).click();
      await dialog(strangersPage).getByLabel('Name').fill('Elsewhere');
      await strangersPage.keyboard.press('Enter');
      await expect(dialog(strangersPage)).toContainText(EVERYWHERE, SOON);

      await page.context().setOffline(false);
      await expect(dialog(page)).toContainText(EVERYWHERE, SOON);
      const own = dialog(page).getByRole('list', { name: 'Saved views' });
      await expect(own.getByRole('button', { name: /^(?:Before|Elsewhere|Meanwhile)$/ })).toHaveText([
        'Elsewhere',
        'Meanwhile',
      ]);
      await expect(dialog(page).getByRole('button', { name: /^Share/ })).toHaveCount(0);
    },
  );
});
