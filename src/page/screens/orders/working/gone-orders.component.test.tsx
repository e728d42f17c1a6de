import { expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import type { Change } from '#testing/component/mount.tsx';
import { address, expectCount, expectToContain } from '#testing/component/screen.ts';
import { changing, footer, list, openOrders, panel, WORKING, type Working } from '#testing/component/orders-page.ts';

/** Long enough for the working orders to be read again. */
const READ_MS = 31_000;
const CLOSED = '7666969464378360462';

/** Removes the two newest orders from the list while `areGone` is set. */
function droppingNewest(): { areGone: boolean; readonly change: Change } {
  const state = {
    areGone: false,
    change: changing(WORKING, (answer: Working): Working =>
      state.areGone
        ? { ...answer, parts: [{ ...answer.parts[0], count: 398 }], orders: answer.orders.slice(2) }
        : answer,
    ),
  };
  return state;
}

const count = () => footer().getByRole('button', { name: /no longer working$/ });
const ofHistory = (targets: readonly string[]): readonly string[] =>
  targets.filter((target) => target.startsWith('/api/orders?'));

test('the count of orders that are no longer working is a filter, in the address too', async () => {
  const newest = droppingNewest();
  const rows = (mark: string) => list().getBySelector(`[data-part=body] > [role=row]${mark}`);
  await openOrders('', { change: newest.change, timers: 'faked' });
  newest.areGone = true;
  await vi.advanceTimersByTimeAsync(READ_MS);
  await expectToContain(count(), '2 no longer working');
  await count().click();
  await expect.element(count()).toHaveAttribute('aria-pressed', 'true');
  await expect.poll(address).toContain('f=status');
  await expectCount(rows('[data-mark=gone]'), 2);
  await expectCount(rows(':not([data-mark=gone])'), 0);
  await count().click();
  await expect.poll(address).not.toContain('f=status');
  await expect.element(rows(':not([data-mark=gone])').first()).toBeVisible();
});

test('how orders closed is read in one narrow request, after all others', async () => {
  const newest = droppingNewest();
  const purposes: (string | null)[] = [];
  const { requested } = await openOrders('', {
    timers: 'faked',
    change: (answer, sent) => {
      if (answer.target.startsWith('/api/orders?')) purposes.push(sent.get('desk-purpose'));
      return newest.change(answer, sent);
    },
  });
  newest.areGone = true;
  await vi.advanceTimersByTimeAsync(READ_MS);
  await expect.poll(() => purposes).toEqual(['prefetch']);
  expect(ofHistory(requested)).toEqual([
    '/api/orders?limit=500&begin_time=2026-08-17T12%3A29%3A39.930Z&end_time=2026-08-17T12%3A29%3A42.749Z&order=desc',
  ]);
});

test('while less than half of the budget is left, nothing is read of orders that are gone', async () => {
  const newest = droppingNewest();
  const spending = changing('/api/desk/status', (status: { readonly budget: object }) => ({
    ...status,
    budget: { ...status.budget, limit: { requests: 200, seconds: 300, reserve: 30 }, used: 101 },
  }));
  const { requested } = await openOrders('', {
    timers: 'faked',
    change: (answer, sent) => (answer.target === WORKING ? newest : { change: spending }).change(answer, sent),
  });
  newest.areGone = true;
  await vi.advanceTimersByTimeAsync(READ_MS);
  await expect.element(count()).toBeVisible();
  await vi.advanceTimersByTimeAsync(READ_MS);
  expect(ofHistory(requested)).toEqual([]);
});

test('a link to an order that is gone, and a search for its id, lead to where the history has it', async () => {
  const link = page.getByRole('link', { name: `Look for order ${CLOSED} in order history` });
  await openOrders(`?beside=order&order=${CLOSED}`);
  await expectToContain(panel('Order'), `Order ${CLOSED} is not among these working orders.`);
  await page.getByRole('searchbox').fill(CLOSED.slice(0, 8));
  await expect.element(link).toBeVisible();
  await openOrders();
  await page.getByRole('searchbox').fill(CLOSED);
  await expect.element(page.getByRole('heading', { name: 'No matches for this filter' })).toBeVisible();
  await expect.element(link).toBeVisible();
  await page.getByRole('searchbox').fill(CLOSED.slice(0, 8));
  await expectCount(link, 0);
  await page.getByRole('searchbox').fill(CLOSED);
  await link.click();
  await expectToContain(panel('Order'), 'Lived (to last change)');
  await expectToContain(
    page.getByRole('grid', { name: 'Order history' }).getBySelector('[role=row][aria-current=true]'),
    CLOSED,
  );
});
