import { page, userEvent, type Locator } from 'vitest/browser';
import { expect, test, vi } from 'vitest';
import { open } from '#testing/component/mount.tsx';
import { toPastResponse } from '#testing/component/past-desk.ts';
import { RECORDED_AT } from '#testing/component/recorded-at.ts';
import { expectCount } from '#testing/component/screen.ts';

const [MINUTE_MS, HOUR_MS] = [60_000, 3_600_000];
const counts = (): Locator => page.getByRole('grid', { name: 'Counts of changes' });
const list = (): Locator => page.getByRole('grid', { name: 'Changes', exact: true });
const answer = toPastResponse();

async function writeFrom(text: string): Promise<void> {
  const field = page.getByLabelText('From (UTC)', { exact: true });
  await field.fill(text);
  await userEvent.keyboard('{Enter}');
}

/** Returns the parameters of the requests for the journal's activity or changes. */
function paramsOf(requested: readonly string[], part: 'activity' | 'changes'): readonly URLSearchParams[] {
  return requested
    .map((target) => new URL(target, 'http://desk'))
    .filter(({ pathname }) => pathname === `/api/desk/journal/${part}`)
    .map(({ searchParams }) => searchParams);
}

/** Returns the parameters of each list's first request. */
function listsOf(requested: readonly string[]): readonly URLSearchParams[] {
  return paramsOf(requested, 'changes').filter((params) => params.get('order') === null);
}

test('the list begins anew with each window, also where two are counted alike, and with each beginning of a range', async () => {
  const { requested } = await open('/orders/activity?window=15m', { answer });
  const minutesBack = (): number =>
    (RECORDED_AT - Date.parse(listsOf(requested).at(-1)?.get('begin_time') ?? '')) / MINUTE_MS;
  await expect.element(list()).toBeVisible();
  expect(minutesBack()).toBe(15);
  await page.getByRole('radio', { name: '1 h', exact: true }).click();
  await expect.poll(minutesBack).toBe(60);
  await page.getByRole('radio', { name: 'Range' }).click();
  await writeFrom('2 h ago');
  await expect.poll(minutesBack).toBe(120);
  await writeFrom('3 h ago');
  await expect.poll(minutesBack).toBe(180);
});

test('where a range ends some time ago, the list reads on as that moves on', async () => {
  const ends = (params: readonly URLSearchParams[]): readonly number[] => [
    ...new Set(params.map((each) => Date.parse(each.get('end_time') ?? ''))),
  ];
  const { requested } = await open('/orders/activity?window=range&to=30+min+ago', {
    answer,
    at: RECORDED_AT + HOUR_MS,
  });
  const first = RECORDED_AT + HOUR_MS / 2;
  await expect.element(list()).toBeVisible();
  expect(ends(listsOf(requested))).toEqual([first]);
  vi.setSystemTime(RECORDED_AT + HOUR_MS + 2 * MINUTE_MS);
  await expect.poll(() => ends(paramsOf(requested, 'activity'))).toEqual([first, first + 2 * MINUTE_MS]);
  await expect
    .poll(() => ends(paramsOf(requested, 'changes').filter((params) => params.get('order') === 'asc')))
    .toContain(first + 2 * MINUTE_MS);
  expect(ends(listsOf(requested))).toEqual([first]);
});

test('figures of a range are not shown for another one', async () => {
  const { promise, resolve } = Promise.withResolvers<null>();
  let isHeld = false;
  await open('/orders/activity?window=range&from=2+h+ago', {
    answer: async (target) =>
      isHeld && target.includes('/journal/activity') ? promise.then(() => answer(target)) : answer(target),
  });
  await expect.element(counts()).toBeVisible();
  isHeld = true;
  await writeFrom('3 h ago');
  await expectCount(counts(), 0);
  resolve(null);
  await expect.element(counts()).toBeVisible();
});
