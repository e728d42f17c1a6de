import { expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { toProblem } from '#testing/component/change-answers.ts';
import { expectCount, expectText, expectToContain, press } from '#testing/component/screen.ts';
import { button, cells, columnOf, footer, pressOn } from '#testing/component/orders-page.ts';
import {
  changingPages,
  grid,
  hidingNewest,
  inColumn,
  openHistory,
  scrollToEnd,
  searchbox,
  type OrdersPage,
} from '#testing/component/history-page.ts';

const NEWEST = '7666969781749914719';
/** Long enough for another check for newer orders. */
const CHECK_MS = 31_000;

test('newer orders are counted, and shown on request', async () => {
  const newest = hidingNewest(12);
  await openHistory('', { change: newest.change, timers: 'faked' });
  expect(inColumn('id')).not.toContain(NEWEST);
  newest.isEarlier = false;
  await vi.advanceTimersByTimeAsync(CHECK_MS);
  await expect.element(button('12 newer')).toBeVisible();
  expect(inColumn('id')).not.toContain(NEWEST);
  await button('12 newer').click();
  await expect.poll(() => inColumn('id')).toContain(NEWEST);
  await expectCount(button('12 newer'), 0);
});

test('a key shows newer orders, also with the focus in the list; without any, it sends no request', async () => {
  const newest = hidingNewest(60);
  const { queries } = await openHistory('', { change: newest.change, timers: 'faked' });
  await pressOn(searchbox(), 'ArrowDown', 'w');
  newest.isEarlier = false;
  await vi.advanceTimersByTimeAsync(CHECK_MS);
  await expect.element(button('60 newer')).toBeVisible();
  // One query for the first page, and one for the check.
  expect(queries()).toHaveLength(2);
  await press('w');
  await expect.poll(() => inColumn('id')).toContain(NEWEST);
  await expectCount(button('60 newer'), 0);
});

test('a working order shows the time of its read; that it closed since is counted, and shown on request', async () => {
  let status = 'Working';
  const change = changingPages(({ data, pagination }) => ({
    data: data.map((order) => (order.id === NEWEST ? { ...order, status } : order)),
    pagination,
  }));
  await openHistory('', { change, timers: 'faked' });
  const first = cells('status', grid()).first();
  await expectText(first, 'Working at 12:30');
  status = 'Closed';
  await vi.advanceTimersByTimeAsync(CHECK_MS);
  const pill = page.getByRole('button', { name: /^1 changed/ });
  await expect.element(pill).toBeVisible();
  await expectText(first, /^Working/);
  await pill.click();
  await expectText(first, 'Closed, unfilled');
  await expectCount(pill, 0);
});

test('oldest first, newer orders are checked for from the end on, and shown there', async () => {
  let isEarlier = true;
  let newest: OrdersPage['data'] = [];
  // New orders appear on the empty page after the last one.
  const change = changingPages(({ data, pagination }, query) => {
    if (query.has('cursor')) return isEarlier ? { data, pagination } : { data: newest, pagination: { cursor: null } };
    newest = data.slice(-12);
    return { data: data.slice(0, -12), pagination };
  });
  await openHistory('?f=product:is:PBTCUCZ50&sort=time', { change, timers: 'faked' });
  await vi.advanceTimersByTimeAsync(CHECK_MS);
  await expect.element(page.getByText('Newest rows not loaded yet')).toBeVisible();
  await scrollToEnd();
  await expect.element(page.getByText(/^Newest rows/)).toBeVisible();
  isEarlier = false;
  await vi.advanceTimersByTimeAsync(CHECK_MS);
  await page.getByRole('button', { name: /^12\+? newer/ }).click();
  await expectToContain(footer(), '227 loaded in');
  await scrollToEnd();
  await expect.poll(() => columnOf('time', grid()).at(-1)).toContain('2026-08-17');
});

test('a request for newer orders survives a failure, and a retry completes it', async () => {
  const newest = hidingNewest(12);
  let fails = false;
  await openHistory('', {
    timers: 'faked',
    change: (answer, sent) =>
      fails && answer.target.startsWith('/api/orders?')
        ? toProblem('budget-spent', 'The next request may go out in 90 s.', { retryAfter: 90 })(answer)
        : newest.change(answer, sent),
  });
  newest.isEarlier = false;
  await vi.advanceTimersByTimeAsync(CHECK_MS);
  // The check must find the orders before requests start to fail.
  await expect.element(button('12 newer')).toBeVisible();
  fails = true;
  await button('12 newer').click();
  await expect.element(page.getByText('Loading stopped.', { exact: true })).toBeVisible();
  await expect.element(button('12 newer, loading')).toBeVisible();
  fails = false;
  await button('Try again').click();
  await expect.poll(() => inColumn('id')).toContain(NEWEST);
  await expectCount(button('12 newer'), 0);
});

test('a failed check for newer orders gives its reason beside the age of the newest', async () => {
  let fails = false;
  await openHistory('', {
    timers: 'faked',
    change: (answer) =>
      fails && answer.target.startsWith('/api/orders?')
        ? toProblem('budget-spent', 'The next request may go out in 90 s.', { retryAfter: 90 })(answer)
        : answer,
  });
  fails = true;
  await vi.advanceTimersByTimeAsync(CHECK_MS);
  await expect.element(page.getByText(/^Newest rows .*The next request may go out in 90 s\.$/)).toBeVisible();
});
