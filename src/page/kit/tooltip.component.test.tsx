// The provenance of a figure: when it opens and closes, in a list and outside one.
import { expect, test, vi } from 'vitest';
import { page, userEvent, type Locator } from 'vitest/browser';
import { open } from '#testing/component/mount.tsx';
import { address, expectCount, expectToContain, press } from '#testing/component/screen.ts';

const grid = (): Locator => page.getByRole('grid', { name: 'Working orders' });
const tooltip = (): Locator => page.getByRole('dialog');
const selected = (): Locator => grid().getBySelector('[role=row][aria-selected=true]');
const priceOf = (row: number): Locator => grid().getBySelector('[role=gridcell][data-column=price]').nth(row);
/** A figure outside the list. */
const sum = (): Locator => page.getBySelector('footer').getByRole('button', { name: /\d/ }).first();
const pointAway = (): Promise<void> => page.getByRole('banner').hover({ position: { x: 2, y: 2 } });

const FIGURES = [
  ['figure', sum],
  ['list', () => priceOf(0)],
] as const;

/**
 * Keys pressed before the grid’s code has loaded are replayed afterwards, but pointer moves are not, so a key is
 * pressed first.
 */
async function openOrders(): Promise<void> {
  await open('/orders');
  await expect.element(grid()).toBeVisible();
  await pointAway();
  grid().element().focus();
  await press('Space');
  await expectCount(selected(), 1);
}

async function passTime(ms: number): Promise<void> {
  vi.advanceTimersByTime(ms);
  // React renders in a separate task, so a second frame is awaited.
  for (const _ of [1, 2]) await new Promise(requestAnimationFrame);
}

/** Mounts the page for a user who enabled sources on hover. */
function preferHover(): void {
  localStorage.setItem('perpdesk.preferences', JSON.stringify({ version: 1, hoverSources: 'on' }));
}

/** From here on, only the test advances time, and the code of tooltips is loaded, so a tooltip would appear at once. */
async function stopTime(): Promise<void> {
  await priceOf(1).click();
  await expect.element(tooltip()).toBeVisible();
  await press('Escape');
  await expectCount(tooltip(), 0);
  await pointAway();
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'], now: Date.now() });
}

test.each(FIGURES)(
  'a click on a %s’s figure shows where it comes from, another one closes it; pointing at it does nothing',
  async (_, find) => {
    await openOrders();
    await stopTime();
    await find().hover();
    await passTime(5_000);
    await expectCount(tooltip(), 0);
    await find().click();
    await expectToContain(tooltip(), 'Endpoint');
    await pointAway();
    await passTime(5_000);
    await expect.element(tooltip()).toBeVisible();
    await find().click();
    await expectCount(tooltip(), 0);
  },
);

test.each(FIGURES)(
  'by preference, a %s’s figure shows where it comes from after the pointer has rested on it for a second',
  async (_, find) => {
    preferHover();
    await openOrders();
    await stopTime();
    await find().hover();
    await passTime(900);
    await expectCount(tooltip(), 0);
    await passTime(200);
    await expectToContain(tooltip(), 'Endpoint');
    await pointAway();
    await passTime(500);
    await expectCount(tooltip(), 0);
  },
);

test.each(FIGURES)('a tooltip closes when the %s’s figure that it explains is removed', async (_, find) => {
  preferHover();
  await openOrders();
  await find().hover();
  await expect.element(tooltip()).toBeVisible();
  await press('/');
  await userEvent.keyboard('no order says this');
  await expect.poll(() => page.getBySelector('footer').element().textContent).toMatch(/^0 of/);
  await expectCount(tooltip(), 0);
});

test('the preference is off by default, and lasts', async () => {
  await openOrders();
  await press(',');
  const choice = page.getByRole('group', { name: 'Show provenance on hover' });
  await expect.element(choice.getByRole('radio', { name: 'Off' })).toBeChecked();
  await choice.getByRole('radio', { name: 'On' }).click();
  await press('Escape');
  await openOrders();
  await priceOf(0).hover();
  await expectToContain(tooltip(), 'Endpoint');
});

test('a clicked cell keeps the keyboard: arrows move on and close its tooltip, Escape closes only that', async () => {
  await open('/orders');
  await priceOf(0).click();
  await expectToContain(tooltip(), 'Endpoint');
  await expect.element(grid()).toHaveFocus();
  await press('ArrowRight');
  await expectCount(tooltip(), 0);
  await press('Space');
  await expectCount(selected(), 1);
  await priceOf(0).click();
  await expect.element(tooltip()).toBeVisible();
  await press('Escape');
  await expectCount(tooltip(), 0);
  await expectCount(selected(), 1);
});

test('a click that does something else shows no source', async () => {
  await open('/orders');
  await priceOf(0).dblClick();
  await expect.element(page.getByRole('complementary', { name: 'Order' })).toBeVisible();
  await expectCount(tooltip(), 0);
  const before = address();
  await priceOf(1).click();
  await expect.poll(address).not.toBe(before);
  await expectCount(tooltip(), 0);
  await press('i');
  await expectToContain(tooltip(), 'Endpoint');
});

test('a tooltip closes when its cell scrolls away', async () => {
  await open('/orders');
  await priceOf(0).click();
  await expect.element(tooltip()).toBeVisible();
  grid().element().scrollTop = 5_000;
  await expectCount(tooltip(), 0);
});

test('neither a tooltip nor one that is still delayed appears on the next screen', async () => {
  preferHover();
  await openOrders();
  await stopTime();
  await priceOf(0).hover();
  await passTime(1_100);
  await expect.element(tooltip()).toBeVisible();
  await press('g', 's');
  await expect.poll(address).toBe('/status');
  await expectCount(tooltip(), 0);
  await press('g', 'o');
  await expect.poll(address).toMatch(/^\/orders/);
  await sum().hover();
  await press('g', 's');
  await expect.poll(address).toBe('/status');
  await passTime(2_000);
  await expectCount(tooltip(), 0);
});
