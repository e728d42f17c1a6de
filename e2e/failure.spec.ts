import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';
import { toProblemResponse } from './problem-response.ts';
import { inEachLook } from './looks.ts';
import { takeShot } from './take-shot.ts';
import { test } from './watched-page.ts';

test.use({ live: false });

const message = 'broken on purpose';
const switchName = 'brokenOnPurpose';

/** Patches the real bundle, so that rendering the given text throws until the page's switch is turned off. */
async function breakRenderingOf(page: Page, text: string): Promise<void> {
  const literal = new RegExp(`(["'\`])${text}\\1`, 'g');
  await page.addInitScript((name) => Object.assign(globalThis, { [name]: true }), switchName);
  await page.route('**/assets/*.js', async (route) => {
    const response = await route.fetch();
    const code = await response.text();
    const broken = code.replace(
      literal,
      `(globalThis.${switchName}?(()=>{throw new Error('${message}')})():'${text}')`,
    );
    await route.fulfill({ response, body: broken });
  });
}

/** A screen, a text that it renders itself, and a heading once it is rendered. */
const screen = { path: '/status', text: 'Startup self-test', heading: 'Request budget' } as const;
/** A text that one of its panels renders. */
const panel = { text: 'Clock offset', name: 'Exchange' } as const;

const failure = { name: 'This part of the page stopped working' };

test.use({ provoked: new RegExp(message) });

test('a screen that crashes says so in its place, and the header stays, in every look', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await breakRenderingOf(page, screen.text);
  await page.goto(screen.path);
  await page.getByText('Technical details').click();
  await inEachLook(page, [[1440, 900], [360, 740]], async ({ colorScheme, width }) => {
    await expect(page.getByRole('main').getByRole('alert').getByRole('heading', failure)).toBeVisible();
    await expect(page.getByRole('banner').getByRole('link', { name: 'Perpdesk' })).toBeVisible();
    await expect(page.getByText(message)).toBeVisible();
    await expect.poll(() => page.getByRole('main').evaluate(({ scrollWidth }) => scrollWidth)).toBeLessThanOrEqual(width);
    await takeShot(page, `failure-${colorScheme}-${String(width)}`);
  });
});

test('a crashed screen recovers by a retry', async ({ page }) => {
  await breakRenderingOf(page, screen.text);
  await page.goto(screen.path);
  await expect(page.getByRole('heading', failure)).toBeVisible();
  await page.evaluate((name) => Object.assign(globalThis, { [name]: false }), switchName);
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('heading', { name: screen.heading })).toBeVisible();
  await expect(page.getByRole('heading', failure)).toBeHidden();
});

test('a crashing panel leaves the others alone', async ({ page }) => {
  await breakRenderingOf(page, panel.text);
  await page.goto(screen.path);
  await expect(page.getByRole('region', { name: panel.name }).getByRole('heading', failure)).toBeVisible();
  await expect(page.getByRole('region', { name: screen.heading }).getByText('Refill', { exact: true })).toBeVisible();
});

test('a crashed panel recovers with the next response', async ({ page }) => {
  await breakRenderingOf(page, panel.text);
  await page.goto(screen.path);
  const region = page.getByRole('region', { name: panel.name });
  await expect(region.getByRole('heading', failure)).toBeVisible();
  await page.evaluate((name) => Object.assign(globalThis, { [name]: false }), switchName);
  await expect(region.getByRole('heading', failure)).toBeHidden({ timeout: 15_000 });
});

test('a screen that crashes again says so again', async ({ page, pageErrors }) => {
  await breakRenderingOf(page, screen.text);
  await page.goto(screen.path);
  await expect(page.getByRole('heading', failure)).toBeVisible();
  const before = pageErrors.length;
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect.poll(() => pageErrors.length).toBeGreaterThan(before);
  await expect(page.getByRole('heading', failure)).toBeVisible();
});

test('a crash of the shell itself still shows an error', async ({ page }) => {
  await breakRenderingOf(page, 'Skip to content');
  await page.goto('/');
  await expect(page.getByRole('alert').getByRole('heading', failure)).toBeVisible();
  await expect(page.getByRole('banner')).toBeHidden();
});

/** What screens are headed by where nothing can be read. Other tests show it of the other screens, and of an exchange that cannot be reached. */
const FACES = [
  { name: 'the budget is spent', screens: ['/', '/price/PBTCUCZ50', '/funding', '/funding/BTCUC', '/rules', '/status'], heading: 'Not loaded', response: toProblemResponse('budget-spent', 'The request budget is exhausted.', { retryAfter: 30 }) },
  { name: 'the key is refused', screens: ['/', '/price/PBTCUCZ50', '/volume?product=PBTCUCZ50', '/funding', '/funding/BTCUC', '/orders', '/orders/history', '/rules', '/status'], heading: 'Access denied by the exchange', response: toProblemResponse('key-refused', 'The key was refused.') },
  { name: 'responses are unreadable', screens: ['/funding', '/rules', '/status'], heading: 'Response does not match the API', response: { status: 200, contentType: 'application/json', body: '{"an": "object"}' } },
] as const;

test.describe('where every request fails', () => {
  test.use({ provoked: /Failed to load resource/ });

  for (const { name, screens, heading, response } of FACES) {
    test(`screens say so and do not crash when ${name}`, async ({ page }) => {
      await page.route('**/api/**', (route) => route.fulfill(response));
      for (const path of screens) {
        await page.goto(path);
        await expect(page.getByRole('main').getByRole('heading', { name: heading }).first()).toBeVisible();
        await expect(page.getByRole('heading', failure)).toHaveCount(0);
      }
    });
  }
});
