import { page, type Locator } from 'vitest/browser';
import { expect, test } from 'vitest';
import { toProblem } from '#testing/component/change-answers.ts';
import { open } from '#testing/component/mount.tsx';
import { answerOf, readOrders, toPastResponse } from '#testing/component/past-desk.ts';
import {
  address,
  expectToContain,
  exportAs,
  exportMenu,
  fileSavedBy,
  press,
  textsOf,
} from '#testing/component/screen.ts';

const answer = toPastResponse();
const counts = (): Locator => page.getByRole('grid', { name: 'Counts of changes' });
const list = (): Locator => page.getByRole('grid', { name: 'Changes', exact: true });

test('by keyboard, a row of the counts filters, a kind narrows the list, and a change opens the life of its order', async () => {
  const [order] = await readOrders(0);
  await open('/orders', { answer });
  await press('g', 'a');
  await expect.poll(address).toBe('/orders/activity');
  await expect.element(counts()).toBeVisible();
  (counts().element() as HTMLElement).focus();
  await press('ArrowDown', 'Enter');
  const field = page.getByRole('combobox', { name: 'Account', exact: true });
  await expect.element(field).toHaveValue(order?.account_id);
  // The address contains the account's alias, and no code.
  expect(address()).not.toContain(order?.account_id);
  (page.getByRole('button', { name: 'No longer working', exact: true }).element() as HTMLElement).focus();
  await press('Space');
  await expect.poll(address).toContain('kinds=gone');
  await expect
    .element(page.getByRole('button', { name: 'No longer working', exact: true }))
    .toHaveAttribute('aria-pressed', 'true');
  await expectToContain(list().getBySelector('[data-part=body] > [role=row]').first(), order?.account_id ?? '');
  (list().element() as HTMLElement).focus();
  await press('ArrowDown', 'Enter');
  await expect.poll(address).toBe(`/orders/life/${order?.id ?? ''}`);
});

test('five columns and their total are shown, with what came and went', async () => {
  await open('/orders/activity', {
    answer: toPastResponse({
      activity: (activity) => ({
        ...activity,
        total: { ...activity.total, placed: 80, passed: 28, fills: 24, modified: 4 },
      }),
    }),
  });
  await expect.element(counts()).toBeVisible();
  const heads = counts().getByRole('columnheader');
  await expect
    .poll(() => textsOf(heads).map((text) => text.replace(/\s.*$/s, '')))
    .toEqual(['Account', 'Placed', 'Fills', 'Order-to-trade', 'Share']);
  await expectToContain(page.getByRole('region', { name: 'Counts' }), '80 placed (28 from order history)');
  await expect
    .element(page.getByText(/^Total Placed 80 · Fills 24 · Order-to-trade 3\.50 · Share filled/))
    .toBeVisible();
  await page.getByRole('button', { name: 'Columns of counts' }).click();
  await page.getByRole('checkbox', { name: 'Modified' }).click();
  await expect.element(page.getByText(/^Total .* Modified 4/)).toBeVisible();
});

test('files have what time they cover, and how much of it was read', async () => {
  await open('/orders/activity', { answer });
  await expect.element(list()).toBeVisible();
  for (const [of, name, columns] of [
    ['counts', /^activity-.*\.csv$/, ['account_id', 'placed', 'not_known_yet', 'readings', 'unread_s', 'gaps']],
    ['changes', /^changes-.*\.csv$/, ['order_id', 'change', 'read_by', 'set', 'readings', 'unread_s']],
  ] as const) {
    const saved = await fileSavedBy(() => exportAs('CSV, with sources', exportMenu(of)));
    expect(saved.name).toMatch(name);
    const [heading = '', ...lines] = saved.text.trim().split('\r\n');
    expect(heading.split(',')).toEqual(expect.arrayContaining([...columns]));
    expect(lines.length).toBeGreaterThan(0);
  }
});

test('it says that nothing was read, that nothing matches, and that it cannot be read', async () => {
  await open('/orders/activity?window=range&to=2020-01-01', {
    answer: toPastResponse({
      activity: (activity) => ({ ...activity, from: null, to: null, readings: 0, longest_seconds: null, groups: [] }),
    }),
  });
  await expect.element(page.getByText(/The journal (begins at|has no reading)/)).toBeVisible();
  await open('/orders/activity?f=product:is:NOTHING', {
    answer: async (target) =>
      target.includes('/journal/changes')
        ? answerOf(target, { changes: [], pagination: { cursor: null } })
        : toPastResponse({ activity: (activity) => ({ ...activity, groups: [] }) })(target),
  });
  await expect.element(page.getByText('No matches for this filter').first()).toBeVisible();
  await open('/orders/activity?f=price:between:1~2&q=busz', { answer });
  await expect.element(page.getByText('Counts cannot be filtered like this')).toBeVisible();
  const problem = toProblem('desk-cannot-read', 'The data folder cannot be read.')(answerOf('', {}));
  await open('/orders/activity', {
    answer: async (target) => (target.includes('/journal/activity') ? problem : answer(target)),
  });
  await expect.element(page.getByText('The data folder cannot be read.').first()).toBeVisible();
});
