import { expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { toProblem } from '#testing/component/change-answers.ts';
import { mount, type Change } from '#testing/component/mount.tsx';
import { expectCount, expectToContain } from '#testing/component/screen.ts';
import {
  button,
  cells,
  changing,
  footer,
  list,
  openOrders,
  panel,
  WORKING,
  type Working,
} from '#testing/component/orders-page.ts';

const retry = () => page.getByRole('main').getByRole('button', { name: 'Try again' });
const update = () => page.getByRole('main').getByRole('button', { name: 'Update now' });
const heading = (name: string) => page.getByRole('heading', { name });

test.each([390, 1440])(
  'at %i px a notice of waiting data moves no row, and “Update now” reads with the part of the budget that is kept for it',
  async (width) => {
    let fails = false;
    const change: Change = (answer, sent) =>
      fails && answer.target === WORKING && sent.get('desk-purpose') !== 'interactive'
        ? toProblem('budget-spent', 'The rest is kept for what you do yourself.')(answer)
        : answer;
    await openOrders('', { size: [width, 800], change, timers: 'faked' });
    const { y } = list().element().getBoundingClientRect();
    fails = true;
    await vi.advanceTimersByTimeAsync(31_000);
    await expect.element(update()).toBeVisible();
    expect(list().element().getBoundingClientRect().y).toBe(y);
    await update().click();
    await expectCount(update(), 0);
    expect(list().element().getBoundingClientRect().y).toBe(y);
  },
);

test('without any data the list says what happened and what to do', async () => {
  mount('/orders', {
    change: (answer) => (answer.target === WORKING ? Promise.reject(new TypeError('Failed to fetch')) : answer),
  });
  await expect.element(retry().first()).toBeVisible();
  await expectCount(list(), 0);
});

test.each([
  [
    'a working set without orders',
    (answer: Working) => ({ ...answer, parts: [{ ...answer.parts[0], count: 0 }], orders: [] }),
    'No working orders',
    '0 of 0 shown',
  ],
  [
    'orders that all fail validation',
    (answer: Working) => ({ ...answer, orders: answer.orders.map((order) => ({ ...order, account_id: undefined })) }),
    'No valid order received',
    'You may have working orders.',
  ],
  [
    'empty parts while others could not be read',
    (answer: Working) => ({ ...answer, complete: false, unproven: ['One part was not read.'], parts: [], orders: [] }),
    'Working orders unknown',
    '',
  ],
])('%s: the list says what it is', async (_, change, title, text) => {
  mount('/orders', { change: changing(WORKING, change) });
  await expect.element(heading(title)).toBeVisible();
  await expectToContain(page.getByRole('main'), text);
  await expectCount(heading('No working orders'), title === 'No working orders' ? 1 : 0);
  await expectCount(footer().getByText('Complete', { exact: true }), title === 'No working orders' ? 1 : 0);
});

test('a list that may lack orders is INCOMPLETE in header, footer and panel, and is announced so', async () => {
  await openOrders('?beside=proof', {
    change: changing(WORKING, (answer: Working) => ({
      ...answer,
      complete: false,
      unproven: ['PBTCUCZ50 has too many orders for one part.'],
    })),
  });
  await expectToContain(page.getByRole('main'), 'INCOMPLETE. Some working orders may be missing from this list.');
  await expectToContain(page.getBySelector('[aria-live=assertive]'), 'INCOMPLETE. Some working orders may be missing');
  await expectToContain(footer(), 'INCOMPLETE');
  await expectToContain(panel('Completeness check'), 'PBTCUCZ50 has too many orders for one part.');
});

test('the completeness check lists the parts and what they add up to', async () => {
  const parts = [
    ['Future', 300],
    ['Option', 100],
  ].map(([type, count]) => ({ filter: { product_type: type }, count, read_at: '2026-08-17T12:30:00.000Z' }));
  await openOrders('', { change: changing(WORKING, (answer: Working) => ({ ...answer, parts })) });
  await button('Completeness').click();
  const check = panel('Completeness check');
  await expectToContain(check, 'Complete, 2 parts');
  await expectCount(check.getBySelector('tbody tr'), 2);
  expect(check.element().textContent).toContain('Sum over parts400');
  expect(check.element().textContent).toContain('Duplicate IDsnone');
});

test('an order that is filled beyond its quantity stays in the list, and out of the sums', async () => {
  const change = changing(WORKING, (answer: Working) => ({
    ...answer,
    orders: answer.orders.map((order, index) =>
      index === 0 ? { ...order, side: 'Bid', quantity_requested: 5, quantity_filled: 10 } : order,
    ),
  }));
  await openOrders('?f=status:has:withheld', { change });
  await expectToContain(footer(), '(1 order in doubt)');
  await expectToContain(footer(), 'Σ Bid – contracts');
  await expectToContain(cells('filled'), 'n/a / 5');
  await expectToContain(cells('remaining'), 'n/a');
});

test('the footer says if more funding rates exist than were read for the tick size checks', async () => {
  const limit = changing('/api/funding-rates/', ({ data }: { readonly data: readonly object[] }) => ({
    data,
    pagination: { cursor: 'more' },
  }));
  await openOrders('', {
    change: (answer, sent) =>
      answer.target === '/api/product/data/'
        ? toProblem('not-found', 'The exchange does not offer this.')(answer)
        : limit(answer, sent),
  });
  await expectToContain(footer(), 'Only the first 100 funding rates were read');
});
