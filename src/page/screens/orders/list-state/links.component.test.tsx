import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { mount, open, type Change } from '#testing/component/mount.tsx';
import { address, expectCount, expectToContain, press, textsOf } from '#testing/component/screen.ts';
import {
  button,
  cells,
  changing,
  chip,
  columnOf,
  expectFilter,
  expectShown,
  footer,
  list,
  manageViews,
  openFilter,
  openOrders,
  viewsButton,
  WORKING,
  type Working,
} from '#testing/component/orders-page.ts';

const ACCOUNT = 'MERI-103';
const UNKNOWN = { name: 'Unknown filter in this link' } as const;
const alias = /own=account%3Ais%3A\*a-/;
const searchbox = () => page.getByRole('searchbox');
const accountField = () => page.getByRole('combobox', { name: 'Account', exact: true });

async function filterByAccount(): Promise<void> {
  const dialog = await openFilter('account');
  await dialog.getByRole('checkbox', { name: ACCOUNT }).click();
  await dialog.getByRole('button', { name: 'Close' }).click();
  await expect.poll(address).toMatch(alias);
}

async function showCodesInLinks(): Promise<void> {
  await manageViews();
  await page.getByRole('checkbox', { name: /in links/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
}

/** Opens the address as in another browser, without this one's stored state. */
async function openElsewhere(change?: Change): ReturnType<typeof open> {
  sessionStorage.clear();
  localStorage.clear();
  return open(address(), change === undefined ? {} : { change });
}

test('a link with an account filter shows the same orders in another browser, and contains no code', async () => {
  await openOrders();
  await filterByAccount();
  const link = address();
  expect(decodeURIComponent(link)).not.toContain(ACCOUNT);
  await openElsewhere();
  await expect.element(chip(`Account is ${ACCOUNT}`)).toBeVisible();
  await expectShown(8);
  expect(new Set(textsOf(cells('account')))).toEqual(new Set([ACCOUNT]));
  expect(address()).toBe(link);
});

test('a text filter that names a part of an account is in the link as well', async () => {
  await openOrders();
  await searchbox().fill('meri-10 bid');
  await expect.poll(address).toMatch(/own=quick%3Ahas%3A\*/);
  expect(decodeURIComponent(address()).toLowerCase()).not.toContain('meri-10');
  await expect.element(searchbox()).toHaveValue('meri-10 bid');
  await openElsewhere();
  await expect.poll(() => (searchbox().element() as HTMLInputElement).value.toLowerCase()).toBe('meri-10 bid');
});

test('after opt-in a link names the account, and shows the same list in the same order', async () => {
  await openOrders('?sort=-notional');
  await filterByAccount();
  await openOrders(location.search);
  await expect.element(chip(`Account is ${ACCOUNT}`)).toBeVisible();
  await showCodesInLinks();
  await expect.poll(() => decodeURIComponent(address())).toContain(`account:is:${ACCOUNT}`);
  const ids = columnOf('id');
  await openElsewhere();
  await expect.poll(() => columnOf('id')).toEqual(ids);
  await expect.element(chip(`Account is ${ACCOUNT}`)).toBeVisible();
});

test('while a link is resolved, and if that fails, no order is shown', async () => {
  await openOrders();
  await filterByAccount();
  sessionStorage.clear();
  let fails = true;
  const released = Promise.withResolvers<undefined>();
  mount(address(), {
    change: async (answer) => {
      if (answer.target !== '/api/desk/aliases' || !fails) return answer;
      await released.promise;
      return { ...answer, status: 500, text: '' };
    },
  });
  await expect.poll(() => textsOf(footer())[0]).toMatch(/^0 of 400 shown/);
  await expect.element(page.getByText('Loading…')).toBeInTheDocument();
  await expectCount(list(), 0);
  released.resolve(undefined);
  await expect.element(button('Try again')).toBeVisible();
  await expectCount(list(), 0);
  fails = false;
  await button('Try again').click();
  await expect.element(chip(`Account is ${ACCOUNT}`)).toBeVisible();
  await expectShown(8);
});

test('a link with an unknown filter shows no orders until the filter is cleared', async () => {
  await open('/orders?f=side:is:Bid&own=account:is:*a-AAAAAAAAAAAAAAAA*');
  await expect.element(page.getByRole('heading', UNKNOWN)).toBeVisible();
  await expectToContain(page.getByRole('main'), 'The link filters by account');
  await expectShown(0);
  await userEvent.selectOptions(page.getByLabelText('Group by'), 'side');
  await expect.poll(address).toContain('group=side');
  expect(address()).toContain('own=');
  await expectCount(list(), 0);
  await button('Clear unknown filter').click();
  await expectShown(192);
  expect(address()).not.toContain('own=');
  await expectFilter('Side is Bid');
});

test('the history of a link is requested with its account only', async () => {
  await open('/orders/history');
  await accountField().fill(ACCOUNT);
  await press('Enter');
  await expect.poll(address).toMatch(alias);
  const { requested } = await openElsewhere();
  await expect.element(accountField()).toHaveValue(ACCOUNT);
  const accounts = requested
    .filter((target) => target.startsWith('/api/orders?'))
    .map((target) => new URL(target, location.href).searchParams.get('account_id'));
  expect(new Set(accounts)).toEqual(new Set([ACCOUNT]));
  await open('/orders/history?own=account:is:*a-AAAAAAAAAAAAAAAA*');
  await expect.element(page.getByRole('heading', UNKNOWN)).toBeVisible();
});

test('a filter by an account that Perpdesk has not read stays in the tab, and the page says so', async () => {
  await open('/orders/history');
  await accountField().fill('NOBODY-9');
  await press('Enter');
  await expect.element(page.getByText(/^The filter by account applies in this tab only/)).toBeVisible();
  expect(address()).not.toContain('NOBODY');
  await open(address());
  await expect.element(accountField()).toHaveValue('NOBODY-9');
});

test('a filter and a view that name an account stay out of the address after its last order has left', async () => {
  await openOrders();
  await searchbox().fill(ACCOUNT);
  await manageViews();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabelText('Name').fill(ACCOUNT);
  await dialog.getByRole('button', { name: 'Save view' }).click();
  await expect
    .element(dialog.getByRole('button', { name: ACCOUNT, exact: true }))
    .toHaveAttribute('aria-current', 'true');
  expect(address()).not.toContain(ACCOUNT);
  await open(address(), {
    change: changing(WORKING, (answer: Working) => ({
      ...answer,
      orders: answer.orders.filter(({ account_id: account }) => account !== ACCOUNT),
    })),
  });
  await expect.element(searchbox()).toHaveValue(ACCOUNT);
  await expectShown(0, 392);
  await userEvent.selectOptions(page.getByLabelText('Group by'), 'side');
  await expect.poll(address).toContain('group=side');
  expect(address()).not.toContain(ACCOUNT);
  await expect.element(viewsButton()).toBeVisible();
});
