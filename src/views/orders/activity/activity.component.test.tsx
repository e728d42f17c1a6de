import { page, userEvent, type Locator } from 'vitest/browser';
import { expect, test } from 'vitest';
import { PROBLEM_PREFIX, PROBLEMS } from '#contract/problems.ts';
import { expectAccessible, expectToFit } from '#testing/component/looks.ts';
import { open } from '#testing/component/mount.tsx';
import { answerOf, readOrders, toPastAnswer } from '#testing/component/past-desk.ts';
import { address, expectCount, expectText, expectToContain, fileSavedBy, press } from '#testing/component/screen.ts';

const answer = toPastAnswer();
const counts = (): Locator => page.getByRole('grid', { name: 'Counts of changes' });
const list = (): Locator => page.getByRole('grid', { name: 'Changes', exact: true });
const viewsButton = (): Locator => page.getByRole('button', { name: 'Views' });

async function openActivity(query = ''): Promise<ReturnType<typeof open>> {
  const mounted = open(`/orders/activity${query}`, { answer });
  await mounted;
  await expect.element(list()).toBeVisible();
  return mounted;
}

test('at its top, the list begins anew where more is new than is read at once', async () => {
  const [order] = await readOrders(0);
  const isOfNewer = (target: string): boolean => target.includes('/journal/changes') && target.includes('order=asc');
  const many = Array.from({ length: 1_000 }, (_, index) => ({ kind: 'seen', order_id: String(index + 1), read_after: null, read_by: '2026-08-17T12:30:00Z', fields: [], before: null, order }));
  const { requested } = await open('/orders/activity?window=15m', { answer: (target) => (isOfNewer(target) ? Promise.resolve(answerOf(target, { changes: many, pagination: { cursor: 'more' } })) : answer(target)) });
  await expect.poll(() => requested.filter((target) => target.includes('/journal/changes') && !isOfNewer(target)).length).toBeGreaterThanOrEqual(2);
  await expect.element(list()).toBeVisible();
});

test('by keyboard, a row of the counts filters, a kind narrows the list, and a change opens the life of its order', async () => {
  const [order] = await readOrders(0);
  await open('/orders', { answer });
  await press('g', 'a');
  await expect.poll(address).toBe('/orders/activity');
  await expect.element(counts()).toBeVisible();
  (counts().element() as HTMLElement).focus();
  await press('ArrowDown', 'Enter');
  const field = page.getByRole('textbox', { name: 'Account', exact: true });
  await expect.element(field).toHaveValue(order?.account_id);
  // The address has an alias of the account, and no code.
  expect(address()).not.toContain(order?.account_id);
  (page.getByRole('button', { name: 'Gone', exact: true }).element() as HTMLElement).focus();
  await press('Space');
  await expect.poll(address).toContain('kinds=gone');
  await expect.element(page.getByRole('button', { name: 'Gone', exact: true })).toHaveAttribute('aria-pressed', 'true');
  await expectToContain(list().getBySelector('[data-part=body] > [role=row]').first(), order?.account_id ?? '');
  (list().element() as HTMLElement).focus();
  await press('ArrowDown', 'Enter');
  await expect.poll(address).toBe(`/orders/life/${order?.id ?? ''}`);
});

test('files have what time they cover, and how much of it was read', async () => {
  await openActivity();
  for (const [button, name, columns] of [
    ['CSV', /^activity-.*\.csv$/, ['account_id', 'placed', 'outcome_unknown', 'readings', 'unread_s', 'gaps']],
    ['CSV of changes', /^changes-.*\.csv$/, ['order_id', 'change', 'read_by', 'set', 'readings', 'unread_s']],
  ] as const) {
    const saved = await fileSavedBy(() => page.getByRole('button', { name: button, exact: true }).click());
    expect(saved.name).toMatch(name);
    const [heading = '', ...lines] = saved.text.trim().split('\r\n');
    expect(heading.split(',')).toEqual(expect.arrayContaining([...columns]));
    expect(lines.length).toBeGreaterThan(0);
  }
});

test('it says that nothing was read, that nothing matches, and that it cannot be read', async () => {
  await open('/orders/activity?window=range&to=2020-01-01', { answer: toPastAnswer({ activity: (activity) => ({ ...activity, from: null, to: null, readings: 0, longest_seconds: null, groups: [] }) }) });
  await expect.element(page.getByText(/The journal (begins at|has no reading)/)).toBeVisible();
  await open('/orders/activity?f=product:is:NOTHING', { answer: async (target) => (target.includes('/journal/changes') ? answerOf(target, { changes: [], pagination: { cursor: null } }) : toPastAnswer({ activity: (activity) => ({ ...activity, groups: [] }) })(target)) });
  await expect.element(page.getByText('No matches for this filter').first()).toBeVisible();
  await open('/orders/activity?f=price:between:1~2&q=busz', { answer });
  await expect.element(page.getByText('Counts cannot be filtered like this')).toBeVisible();
  const { status, title } = PROBLEMS['desk-cannot-read'];
  const problem = { ...answerOf('', { type: `${PROBLEM_PREFIX}desk-cannot-read`, title, status, detail: 'The data folder cannot be read.', instance: 'r-1' }), status, headers: { 'content-type': 'application/problem+json' } };
  await open('/orders/activity', { answer: async (target) => (target.includes('/journal/activity') ? problem : answer(target)) });
  await expect.element(page.getByText('The data folder cannot be read.').first()).toBeVisible();
});

test('it is accessible and fits at all widths', async () => {
  await openActivity('?by=both');
  await expectToFit(2_560, 360);
  await expectAccessible();
  await expectToFit(1_280);
  await expectAccessible();
});

test('a view of activity is saved and opened again, by the keyboard and from the palette, and is no view of another list', async () => {
  const symbol = (await readOrders(0))[0]?.symbol ?? '';
  const opened = `/orders/activity?f=product%3Ais%3A${symbol}&view=One+product`;
  await openActivity(`?f=product:is:${symbol}`);
  await viewsButton().click();
  await page.getByRole('button', { name: 'Save or manage…' }).click();
  await page.getByRole('dialog', { name: 'Saved views' }).getByLabelText('Name').fill('One product');
  await page.getByRole('button', { name: 'Save view' }).click();
  await expectAccessible();
  await page.getByRole('button', { name: 'Close' }).click();
  await expectText(viewsButton(), 'Views: One product');
  await openActivity();
  (viewsButton().element() as HTMLElement).focus();
  await press('ArrowDown');
  await expect.element(page.getByRole('dialog', { name: 'Open a view' }).getByRole('button', { name: 'One product' })).toHaveFocus();
  await press('Enter');
  await expect.poll(address).toBe(opened);
  await expect.element(page.getByRole('textbox', { name: 'Product' })).toHaveValue(symbol);
  await openActivity();
  await expectText(viewsButton(), 'Views');
  await press('Control+k');
  await userEvent.keyboard('one product');
  await page.getByRole('option', { name: 'One product' }).click();
  await expect.poll(address).toBe(opened);
  await open('/orders/history');
  await viewsButton().click();
  await expectToContain(page.getByRole('dialog', { name: 'Open a view' }), 'No saved views.');
});

test('columns of changes are chosen in their dialog, stay so, and go back to the default ones', async () => {
  const connection = page.getByRole('dialog', { name: 'Columns' }).getByRole('checkbox', { name: 'Connection' });
  const columns = page.getByRole('button', { name: 'Columns' });
  await openActivity();
  await columns.click();
  await connection.click();
  await expect.poll(address).toContain('cols=');
  await press('Escape');
  await openActivity();
  await expectCount(list().getByRole('columnheader', { name: /^Connection/ }), 0);
  await columns.click();
  await page.getByRole('dialog', { name: 'Columns' }).getByRole('button', { name: /default/i }).click();
  await expect.element(connection).toBeChecked();
  await press('Escape');
  await expectToFit(390, 1_280);
});
