import { page, type Locator } from 'vitest/browser';
import { expect, onTestFinished, test, vi, type Mock } from 'vitest';
import { toProblem } from '#testing/component/change-answers.ts';
import { mount, open, type Change } from '#testing/component/mount.tsx';
import { expectToFit } from '#testing/component/looks.ts';
import { expectCount } from '#testing/component/screen.ts';
import { SCREENS } from './screens.ts';

const message = 'broken on purpose';
const failure = (): Locator => page.getByRole('heading', { name: 'This part of the page stopped working' });

/** Captures React's reports of a crash, which would fail other tests. */
function expectCrashes(): Mock {
  const reported = vi.fn();
  vi.spyOn(console, 'error').mockImplementation(reported);
  return reported;
}

/** Makes a screen crash until the returned function mends it. */
function breakScreen(name: string): () => void {
  const screen = SCREENS.find((each) => each.name === name);
  if (screen === undefined) throw new Error(`There is no screen ${name}.`);
  const { Component } = screen;
  const mend = (): void => {
    Object.assign(screen, { Component });
  };
  const Broken = (): never => {
    throw new Error(message);
  };
  Object.assign(screen, { Component: Broken });
  onTestFinished(mend);
  return mend;
}

test('a screen that crashes says so in its place, the header stays, and a retry that crashes, too, says so again', async () => {
  const reported = expectCrashes();
  const mend = breakScreen('Status');
  await open('/status');
  await page.getByText('Technical details').click();
  await expect
    .element(
      page.getByRole('main').getByRole('alert').getByRole('heading', { name: 'This part of the page stopped working' }),
    )
    .toBeVisible();
  await expect.element(page.getByRole('banner').getByRole('link', { name: 'Perpdesk' })).toBeVisible();
  await expect.element(page.getByText(message).first()).toBeVisible();
  await expectToFit(1_440, 360);
  expect(page.getByRole('main').element().scrollWidth).toBe(360);
  const before = reported.mock.calls.length;
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect.poll(() => reported.mock.calls.length).toBeGreaterThan(before);
  await expect.element(failure()).toBeVisible();
  mend();
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect.element(page.getByRole('heading', { name: 'Request budget' })).toBeVisible();
  await expectCount(failure(), 0);
});

/**
 * The headings of screens when nothing can be read. Other tests cover the remaining screens, and an unreachable
 * exchange.
 */
const FACES = [
  {
    name: 'the budget is spent',
    screens: ['/', '/price/PBTCUCZ50', '/funding', '/funding/BTCUC', '/rules', '/status'],
    heading: 'Not loaded',
    change: toProblem('budget-spent', 'Nothing can be read.'),
  },
  {
    name: 'the key is refused',
    screens: [
      '/',
      '/price/PBTCUCZ50',
      '/volume/PBTCUCZ50',
      '/funding',
      '/funding/BTCUC',
      '/orders',
      '/orders/history',
      '/rules',
      '/status',
    ],
    heading: 'Access denied by the exchange',
    change: toProblem('key-refused', 'Nothing can be read.'),
  },
  {
    name: 'responses are unreadable',
    screens: ['/funding', '/rules', '/status'],
    heading: 'Response does not match the API',
    change: (answer) => ({ ...answer, text: '{"an": "object"}' }),
  },
] satisfies readonly { readonly change: Change; readonly [more: string]: unknown }[];

test.each(FACES)('screens say so and do not crash when $name', async ({ screens, heading, change }) => {
  for (const address of screens) {
    const { unmount } = mount(address, { change });
    await expect.element(page.getByRole('main').getByRole('heading', { name: heading }).first()).toBeVisible();
    await expectCount(failure(), 0);
    unmount();
  }
});
