import { page, userEvent, type Locator } from 'vitest/browser';
import { expect, test } from 'vitest';
import { open } from '#testing/component/mount.tsx';
import { READINGS, readOrders, toPastResponse, toShownTime } from '#testing/component/past-desk.ts';
import { address, expectToContain, expectText, press } from '#testing/component/screen.ts';

const [FIRST, SECOND, THIRD, LAST] = READINGS;
const heading = (): Locator => page.getByRole('heading', { level: 1 });
const slider = (): Locator => page.getByRole('slider', { name: 'Time shown' });
const field = (): Locator => page.getByLabelText('Time (UTC)', { exact: true });
const answer = toPastResponse();

/** Returns the instant in the address. */
function at(): number {
  return Date.parse(new URL(location.href).searchParams.get('at') ?? '');
}

test('a link shows the same book, Back and Escape leave it, and the newest reading is where it begins', async () => {
  const { unmount } = await open('/orders?group=account', { answer });
  await page.getByRole('button', { name: 'Time travel' }).click();
  await expectText(heading(), `Working orders at ${toShownTime(LAST)} UTC`);
  await expectToContain(
    page.getBySelector('footer').filter({ hasText: 'shown' }),
    `of ${String((await readOrders(3)).length)} shown`,
  );
  expect(new URL(location.href).searchParams.get('group')).toBe('account');
  unmount();
  await open(address(), { answer });
  await expectText(heading(), `Working orders at ${toShownTime(LAST)} UTC`);
  history.back();
  await expectText(heading(), 'Working orders');
  history.forward();
  await expectText(heading(), `Working orders at ${toShownTime(LAST)} UTC`);
  await press('Escape');
  await expectText(heading(), 'Working orders');
  expect(address()).toBe('/orders?group=account');
  history.back();
  await page.getByRole('button', { name: /^Back to live/ }).click();
  await expectText(heading(), 'Working orders');
});

test('[ and ] go from change to change, the arrows along the bar, and a time can be typed', async () => {
  await open(`/orders?at=${SECOND}`, { answer });
  await press(']');
  await expect.poll(at).toBe(Date.parse(THIRD));
  await userEvent.keyboard('[[');
  await expect.poll(at).toBe(Date.parse(SECOND));
  await page.getByRole('button', { name: 'Previous reading that shows a change' }).click();
  await expect.poll(at).toBe(Date.parse(FIRST));
  await userEvent.keyboard('[[');
  await expect.element(page.getByText('The journal has no earlier change.').first()).toBeVisible();
  (slider().element() as HTMLElement).focus();
  await press('End');
  await expect.poll(at).toBeGreaterThanOrEqual(Date.parse(LAST));
  const end = at();
  await press('ArrowLeft');
  await expect.poll(at).toBeLessThan(end);
  await expect.element(slider()).toHaveAttribute('aria-valuetext', `${toShownTime(new Date(at()).toISOString())} UTC`);
  await press('Home');
  await expect.poll(at).toBe(Date.parse(FIRST));
  await field().fill('soon');
  await expect.element(page.getByText('Not a time')).toBeVisible();
  await field().fill('12:10:00');
  await press('Enter');
  await expect.poll(at).toBe(Date.parse(SECOND));
  await expectText(heading(), `Working orders at ${toShownTime(SECOND)} UTC`);
});

test('a time that is chosen while a step is looked for stays', async () => {
  const { promise, resolve } = Promise.withResolvers<null>();
  const { requested } = await open(`/orders?at=${SECOND}`, {
    answer: async (target) =>
      target.includes('/journal/changes') ? promise.then(() => answer(target)) : answer(target),
  });
  await press(']');
  await expect.poll(() => requested.filter((target) => target.includes('/journal/changes')).length).toBe(1);
  await field().fill('12:00:00');
  await press('Enter');
  await expect.poll(at).toBe(Date.parse(FIRST));
  resolve(null);
  await expectText(heading(), `Working orders at ${toShownTime(FIRST)} UTC`);
  await page.getByRole('button', { name: 'Next reading that shows a change' }).click();
  await expect.poll(at).toBe(Date.parse(SECOND));
});

test('the hand moves the bar, and what it rests on is read', async () => {
  const { requested } = await open(`/orders?at=${LAST}&span=1h`, { answer });
  const books = (): readonly string[] => requested.filter((target) => target.includes('/journal/book'));
  await expect.element(page.getByRole('img', { name: /changes? by / })).toBeInTheDocument();
  const before = books().length;
  const track = slider().element().parentElement;
  if (track === null) throw new Error('The bar has no track.');
  const { width, height } = track.getBoundingClientRect();
  const placeAt = (share: number): { readonly x: number; readonly y: number } => ({ x: width * share, y: height / 2 });
  await userEvent.dragAndDrop(track, track, { sourcePosition: placeAt(0.9), targetPosition: placeAt(0.1) });
  await expect.poll(() => books().length).toBeGreaterThan(before);
  await expect.element(slider()).toHaveFocus();
  const read = (name: string): number => Number(slider().element().getAttribute(name));
  const toShare = (value: number): number =>
    (value - read('aria-valuemin')) / (read('aria-valuemax') - read('aria-valuemin'));
  await expect.poll(() => toShare(read('aria-valuenow'))).toBeCloseTo(0.1, 1);
  await expect.poll(at).toBe(read('aria-valuenow') * 1_000);
  await expect
    .poll(() => new URL(books().at(-1) ?? '', location.href).searchParams.get('at'))
    .toBe(new URL(location.href).searchParams.get('at'));
});
