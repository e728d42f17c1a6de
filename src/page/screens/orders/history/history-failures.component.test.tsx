import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { toProblem } from '#testing/component/change-answers.ts';
import { mount } from '#testing/component/mount.tsx';
import { expectCount, expectToContain } from '#testing/component/screen.ts';
import { button, footer } from '#testing/component/orders-page.ts';
import { changingPages, grid, openHistory } from '#testing/component/history-page.ts';

test('the rows loaded so far stay when a page fails, with the reason and a retry', async () => {
  let fails = true;
  await openHistory('', {
    change: (answer) =>
      fails && answer.target.includes('cursor=')
        ? toProblem('budget-spent', 'The next request may go out in 90 s.', { retryAfter: 90 })(answer)
        : answer,
  });
  grid().element().scrollTop = grid().element().scrollHeight;
  await expect.element(page.getByText('Loading stopped.', { exact: true })).toBeVisible();
  await expect.element(page.getByText(/Next retry in 1 min/)).toBeVisible();
  await expectToContain(footer(), '500 loaded in');
  fails = false;
  await button('Try again').click();
  await expectToContain(footer(), '1,000 loaded in');
  await expectCount(page.getByText('Loading stopped.', { exact: true }), 0);
});

test('if every row fails validation, the list says so and requests no more', async () => {
  const { requested } = mount('/orders/history', {
    change: changingPages(({ data, pagination }) => ({
      data: data.map((order) => ({ ...order, quantity_filled: String(order.quantity_filled) })),
      pagination,
    })),
  });
  await expect.element(page.getByText('No valid order received')).toBeVisible();
  await expect.element(page.getByText('quantity_filled: expected integer, found string')).toBeVisible();
  expect(requested.filter((target) => target.startsWith('/api/orders?'))).toHaveLength(2);
});

test('a request that the desk rejects shows what is wrong with it', async () => {
  mount('/orders/history', {
    change: (answer) =>
      answer.target.startsWith('/api/orders?')
        ? toProblem('bad-parameter', 'begin_time is no time.', { parameter: 'begin_time' })(answer)
        : answer,
  });
  await expect.element(page.getByRole('heading', { name: 'Invalid parameter' })).toBeVisible();
  await expectToContain(page.getByRole('main'), 'begin_time is no time.');
});
