import { page, userEvent } from 'vitest/browser';
import { expect, test } from 'vitest';
import { address, expectCount, expectToContain, press } from '#testing/component/screen.ts';
import { expectFilter, footer, manageViews } from '#testing/component/orders-page.ts';
import { inColumn, openHistory, productField, searchbox } from '#testing/component/history-page.ts';

const typesInSight = (): readonly string[] => [...new Set(inColumn('type'))].toSorted();
const chipsOf = (name: string) => page.getByRole('list', { name });
const from = () => page.getByRole('textbox', { name: 'From (UTC)' });

test('an exchange filter is sent with the request and in the address, an account only on opt-in', async () => {
  const { queries } = await openHistory();
  await productField().fill('PBTCUCZ50');
  await press('Enter');
  await expect.poll(() => queries().at(-1)?.get('symbol')).toBe('PBTCUCZ50');
  await expect.poll(() => [...new Set(inColumn('product'))]).toEqual(['PBTCUCZ50']);
  await page.getByRole('combobox', { name: 'Account', exact: true }).fill('MERI-103');
  await press('Enter');
  await expect.poll(() => queries().at(-1)?.get('account_id')).toBe('MERI-103');
  expect(address()).toContain('PBTCUCZ50');
  expect(address()).not.toContain('MERI-103');
  await manageViews();
  await page.getByRole('checkbox', { name: 'Show account, firm and connection codes in links' }).click();
  await expect.poll(address).toContain('MERI-103');
});

test('an account is found by a part of its code, and a typo is said before anything is requested', async () => {
  const { queries } = await openHistory();
  const account = page.getByRole('combobox', { name: 'Account', exact: true });
  await account.fill('ri-103');
  await press('ArrowDown', 'Enter');
  await expect.poll(() => queries().at(-1)?.get('account_id')).toBe('MERI-103');
  await expect.element(account).toHaveValue('MERI-103');
  await account.fill('MRI-103');
  await expect.element(page.getByText('No account matches “MRI-103”.')).toBeVisible();
  await press('Escape', 'Escape');
  await expect.element(account).toHaveValue('MERI-103');
  expect(queries().some((query) => query.get('account_id') === 'MRI-103')).toBe(false);
});

test('the address restores the same query', async () => {
  const { queries } = await openHistory('?f=type:is:Option&from=2026-08-16&sort=time');
  expect(Object.fromEntries(queries()[0] ?? [])).toMatchObject({
    product_type: 'Option',
    begin_time: '2026-08-16T00:00:00Z',
    order: 'asc',
  });
  await expect.element(page.getByRole('radio', { name: 'Oldest first' })).toBeChecked();
  await expect.element(from()).toHaveValue('2026-08-16');
});

test('a product is requested by its id, and found by its name', async () => {
  const { queries } = await openHistory();
  await page.getByRole('textbox', { name: 'Product ID' }).fill('pbtcucz50');
  await press('Enter');
  await expect.poll(() => queries().at(-1)?.get('product_id')).toBe('5614');
  await expect.poll(address).toContain('product=5614');
  await expect.poll(() => [...new Set(inColumn('product'))]).toEqual(['PBTCUCZ50']);
});

test('perpetuals are called so, and can be filtered by: the exchange returns futures, the page narrows them', async () => {
  const { queries } = await openHistory();
  const type = () => page.getByLabelText('Product type');
  await userEvent.selectOptions(type(), 'Perpetual');
  await expect.poll(() => queries().at(-1)?.get('product_type')).toBe('Future');
  await expect.poll(typesInSight).toEqual(['Perpetual']);
  await expectToContain(footer(), 'match the filter, of');
  await expect
    .element(chipsOf('Loaded orders only').getByRole('button', { name: 'Product type is Perpetual' }))
    .toBeVisible();
  await openHistory(location.search);
  await expect.element(type()).toHaveValue('Perpetual');
  expect(typesInSight()).toEqual(['Perpetual']);
  await userEvent.selectOptions(type(), page.getByRole('option', { name: 'Future', exact: true }));
  await expect.poll(typesInSight).toEqual(['Future']);
  await userEvent.selectOptions(type(), page.getByRole('option', { name: 'Future or perpetual' }));
  await expect.poll(() => document.querySelector('footer')?.innerText).not.toContain('match the filter');
});

test('a link of the time when perpetuals were listed as Future still lists them', async () => {
  const { queries } = await openHistory('?f=type:is:Future');
  expect(queries().at(-1)?.get('product_type')).toBe('Future');
  for (const [symbol, type] of [
    ['BUSU26', 'Future'],
    ['PBTCUCZ50', 'Perpetual'],
  ] as const) {
    await searchbox().fill(symbol);
    await expect.poll(typesInSight).toEqual([type]);
  }
  await expectCount(chipsOf('Filtered by the exchange').getByRole('button'), 1);
});

test('controls say whether the exchange filters, or the page filters what is loaded', async () => {
  await openHistory('?f=product:is:PBTCUCZ50&f=side:is:Bid');
  const ofPage = page.getByRole('group', { name: 'Filters of loaded orders' });
  await expect
    .element(ofPage.getByRole('searchbox', { name: 'Filter loaded orders by any text in a row' }))
    .toHaveAttribute('placeholder', 'Filter loaded orders');
  await expectFilter('Product is PBTCUCZ50', chipsOf('Filtered by the exchange'));
  await expectFilter('Side is Bid', chipsOf('Loaded orders only'));
  await ofPage.getByRole('button', { name: 'Filter', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await expectToContain(dialog, 'Filtered by the exchange.');
  await expectToContain(dialog, 'Product is PBTCUCZ50: 227 of 227 loaded orders');
  await userEvent.selectOptions(dialog.getByLabelText('Column'), 'side');
  await expectToContain(dialog, 'Applies to loaded orders only.');
});

test('a range may count back from now: it is resolved once, and the address keeps it as written', async () => {
  const { queries } = await openHistory('?f=product:is:PBTCUCZ50');
  await from().fill('yesterday');
  await press('Enter');
  await expect
    .poll(() => Date.parse(queries().at(-1)?.get('begin_time') ?? ''))
    .toBe(Date.parse('2026-08-16T00:00:00Z'));
  await expect.poll(address).toContain('from=yesterday');
  await searchbox().fill('Bid');
  await expect.poll(() => [...new Set(inColumn('side'))]).toEqual(['Bid']);
  const begins = queries()
    .slice(1)
    .map((query) => query.get('begin_time'));
  expect(new Set(begins).size).toBe(1);
});
