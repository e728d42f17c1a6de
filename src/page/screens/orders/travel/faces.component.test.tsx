import { page, type Locator } from 'vitest/browser';
import { expect, test } from 'vitest';
import { toProblem } from '#testing/component/change-answers.ts';
import { expectAccessible, expectToFit } from '#testing/component/looks.ts';
import { open } from '#testing/component/mount.tsx';
import { answerOf, READINGS, readOrders, toPastResponse, toShownTime } from '#testing/component/past-desk.ts';
import { expectCount, expectText, expectToContain, press } from '#testing/component/screen.ts';

const [FIRST, SECOND, THIRD, LAST] = READINGS;
const face = (name: string): Locator => page.getByRole('heading', { name, exact: true });
const heading = (): Locator => page.getByRole('heading', { level: 1 });
const grid = (): Locator => page.getByRole('grid', { name: 'Working orders' });
const answer = toPastResponse();

test('before the journal begins, in the future, and at no time, the screen says so and leads on', async () => {
  await open('/orders?at=2020-01-01T00:00:00Z', { answer });
  await expect.element(face('Before the journal')).toBeVisible();
  await page.getByRole('button', { name: 'Go to its beginning' }).click();
  await expect.element(grid()).toBeVisible();
  await expectText(heading(), `Working orders at ${toShownTime(FIRST)} UTC`);
  await open('/orders?at=2090-01-01T00:00:00Z', { answer });
  await expect.element(face('In the future')).toBeVisible();
  await page.getByRole('button', { name: 'Go to the last reading' }).click();
  await expect.element(grid()).toBeVisible();
  await expect.element(page.getByText('no later reading yet')).toBeVisible();
  await open('/orders?at=soon', { answer });
  await expect.element(face('Not a time')).toBeVisible();
  await page.getByRole('button', { name: /^Back to live/ }).click();
  await expectText(heading(), 'Working orders');
});

test('an empty journal has no bar, and says what fills it', async () => {
  await open(`/orders?at=${FIRST}`, {
    answer: async (target) => {
      const past = await answer(target);
      return target === '/api/desk/status' && past !== null
        ? {
            ...past,
            text: past.text.replace(/"kept_from":"[^"]+","read_to":"[^"]+"/, '"kept_from":null,"read_to":null'),
          }
        : past;
    },
  });
  await expect.element(face('The journal is empty')).toBeVisible();
  await expectCount(page.getByRole('slider'), 0);
});

test('in a gap, and where a reading was not complete, the list, the footer and the file say so', async () => {
  await open(`/orders?at=${FIRST}`, {
    answer: toPastResponse({
      book: (book) => ({ ...book, in_gap: true, gap_cause: 'exchange', complete: false }),
      activity: (activity) => ({ ...activity, gaps: [{ from: FIRST, to: SECOND, cause: null }] }),
    }),
  });
  const badge = page.getByText(
    /^In a gap \(exchange unreachable\): last reading \d.* before this time, next \d.* after it\. Orders may have come, changed and gone\.$/,
  );
  await expect.element(badge).toBeVisible();
  await expect.element(badge).toHaveAttribute('data-state', 'attention');
  await expect.element(page.getByText(/^The reading did not cover all orders/)).toBeVisible();
  await expect.element(page.getBySelector('footer').getByText('INCOMPLETE')).toBeVisible();
  await expect.element(page.getByRole('img', { name: /; 1 gap$/ })).toBeInTheDocument();
  await page.getByRole('button', { name: 'Reading', exact: true }).click();
  await expectToContain(page.getByRole('complementary', { name: 'The reading' }), 'unseen');
});

const DIFFERING = '&f=change:is:Added~Changed~Gone';

test('two instants without a difference say so, with both times and the gap between them', async () => {
  const orders = await readOrders(0);
  const same = toPastResponse({
    book: (book) => ({ ...book, orders }),
    activity: (activity) => ({
      ...activity,
      gaps: [
        { from: SECOND, to: THIRD, cause: null },
        { from: '2020-01-01T00:00:00Z', to: '2020-01-02T00:00:00Z', cause: null },
      ],
    }),
  });
  await open(`/orders?at=${THIRD}&with=${FIRST}${DIFFERING}`, { answer: same });
  await expect.element(face('Nothing changed')).toBeVisible();
  await expect
    .element(
      page.getByText(
        `The readings of ${toShownTime(FIRST)} UTC and ${toShownTime(THIRD)} UTC show the same 10 working orders.`,
      ),
    )
    .toBeVisible();
  await expectText(
    page.getByText(/^Gap: nothing was read/),
    `Gap: nothing was read from ${toShownTime(SECOND)} UTC to ${toShownTime(THIRD)} UTC.`,
  );
  await expectAccessible();
  await page.getByRole('button', { name: 'Show unchanged orders' }).click();
  await expect.element(grid()).toBeVisible();
  // The message names the filter only if it is the filter that hides the orders.
  const symbol = orders[0]?.symbol ?? '';
  const ofOne = orders.filter((order) => order.symbol === symbol).length;
  await open(`/orders?at=${THIRD}&with=${FIRST}${DIFFERING}&f=product:is:${symbol}`, { answer: same });
  await expect.element(face('Nothing changed for this filter')).toBeVisible();
  await expect.element(page.getByText(`show the same ${String(ofOne)} working order`)).toBeVisible();
  await open(`/orders?at=${THIRD}&with=${FIRST}${DIFFERING}&q=no-such-order`, { answer: same });
  await expect.element(face('No matches for this filter')).toBeVisible();
  await open(`/orders?at=${FIRST.replace('Z', '.001Z')}&with=${FIRST}${DIFFERING}`, { answer: same });
  await expect
    .element(page.getByText(/^Both times have the same reading, from .+: nothing was read in between\.$/))
    .toBeVisible();
});

test('a failed read says so and can be repeated; a bar that cannot be read leaves the list', async () => {
  const spent = toProblem('budget-spent', 'The request budget is exhausted.')(answerOf('', {}));
  let fails = true;
  await open(`/orders?at=${FIRST}`, {
    answer: async (target) =>
      target.includes('/journal/activity') || (target.includes('/journal/book') && fails) ? spent : answer(target),
  });
  const retry = page.getByRole('button', { name: 'Try again' });
  await expect.element(retry).toBeVisible();
  fails = false;
  await retry.click();
  await expect.element(grid()).toBeVisible();
  await expect.element(page.getByText(/^The time bar could not be loaded/)).toBeVisible();
  await press(']');
  await expectText(heading(), `Working orders at ${toShownTime(SECOND)} UTC`);
  await expect.element(grid()).toBeVisible();
});

test('where no market prices were recorded, distances and exposure are absent with the reason', async () => {
  const missing = 'Market prices were not recorded at 2026-08-17T12:00:00.000Z: their record begins later.';
  await open(`/orders?at=${FIRST}&cols=id,distance,underlying&beside=exposure`, {
    answer: toPastResponse({ prices: () => ({ read_at: null, missing, prices: [] }) }),
  });
  await expect.element(page.getByText(`Without distances and underlying notional. ${missing}`)).toBeVisible();
  await expectToContain(page.getByRole('complementary'), missing);
  const cell = grid().getBySelector('[data-part=body] [data-column=distance]').first();
  await expectText(cell, '–');
  await cell.click();
  await press('i');
  await expectToContain(page.getByRole('dialog'), missing);
});

test('it is accessible and unmistakable, alone and compared, at every width', async () => {
  const ground = (): string =>
    getComputedStyle(
      page.getByRole('main').getBySelector('[data-past], h1').first().element().closest('[data-past]') ?? document.body,
    ).backgroundColor;
  await open(`/orders?at=${LAST}`, { answer });
  await expectToFit(390, 1_280, 2_560);
  await open(`/orders?at=${LAST}&with=${FIRST}`, { answer });
  expect(ground()).toBe('rgb(243, 237, 251)');
  await expectToFit(2_560, 390);
  await expectAccessible();
  await expectToFit(1_280);
  await expectAccessible();
  await page.getByRole('button', { name: /^Back to live/ }).click();
  await expectText(heading(), 'Working orders');
  expect(ground()).toBe('rgb(246, 247, 249)');
});
