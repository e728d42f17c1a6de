import { expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { toProblem } from '#testing/component/change-answers.ts';
import { mount, open } from '#testing/component/mount.tsx';
import { address, textsOf } from '#testing/component/screen.ts';
import { button, list, openOrders, pressOn } from '#testing/component/orders-page.ts';

const NEWEST = '7666969781749914719';
const since = () => page.getByText(/^Journal since /);

test('the panel of an order shows its life, whose link opens by keyboard', async () => {
  await openOrders();
  await pressOn(list(), 'Enter');
  const life = page.getByRole('region', { name: 'Life' });
  await expect.poll(() => textsOf(life)[0]).toMatch(/First seen|Working when the journal began/);
  expect(textsOf(life)[0]).toMatch(/by \d{4}-|between \d{4}-/);
  expect(textsOf(life)[0]).toContain('Journal since');
  await pressOn(life.getByRole('link', { name: `Open the life of order ${NEWEST}` }), 'Enter');
  await expect.poll(address).toBe(`/orders/life/${NEWEST}`);
  await expect.element(page.getByRole('heading', { name: 'Life of an order' })).toBeVisible();
});

test('an order that the journal does not have, and an address that is no order, say so', async () => {
  await open('/orders/life/1');
  await expect.element(page.getByRole('heading', { name: 'Not in the journal' })).toBeVisible();
  await open('/orders/life/abc');
  await expect.element(page.getByRole('heading', { name: 'Not an order ID' })).toBeVisible();
});

test('a failed read says so and can be repeated, and later ones keep what was read', async () => {
  let fails = true;
  mount(`/orders/life/${NEWEST}`, {
    timers: 'faked',
    change: (answer) =>
      fails && answer.target.startsWith('/api/desk/journal/order?')
        ? toProblem('budget-spent', 'The request budget is exhausted.')(answer)
        : answer,
  });
  await expect.element(button('Try again')).toBeVisible();
  fails = false;
  await button('Try again').click();
  await expect.element(since()).toBeVisible();
  fails = true;
  await vi.advanceTimersByTimeAsync(31_000);
  await expect.element(page.getByText(/^Data of .*, next update in/).first()).toBeVisible();
  await expect.element(since()).toBeVisible();
});
