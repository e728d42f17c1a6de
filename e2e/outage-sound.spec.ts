import { type BrowserContext, expect, type Page } from '@playwright/test';
import { countTones } from './count-tones.ts';
import { openUntouched } from './untouched-page.ts';
import { test } from './watched-page.ts';

test.use({ live: false });

test.use({ provoked: /request failed|ERR_/ });

function sound(page: Page) {
  return page.getByRole('group', { name: 'Sound when an outage starts and ends' });
}

/** Waits for the code of the sound, which is loaded only once there is an outage. */
async function waitForSound(page: Page): Promise<void> {
  const found = await page.waitForFunction(() =>
    performance
      .getEntriesByType('resource')
      .map(({ name }) => name)
      .find((name) => /\/outage-sound-[^/]*\.js$/.test(name)),
  );
  await page.evaluate((address) => import(String(address)), await found.jsonValue());
}

async function switchOn(page: Page): Promise<void> {
  await page.goto('/status');
  await expect(page.getByRole('heading', { name: 'Request budget' })).toBeVisible();
  await page.keyboard.press(',');
  await expect(sound(page).getByRole('radio', { name: 'Off' })).toBeChecked();
  await sound(page).getByRole('radio', { name: 'On' }).check();
  await page.keyboard.press('Escape');
}

function barOf(page: Page) {
  return page.getByRole('region', { name: 'Outage' });
}

async function breakStatus(context: BrowserContext): Promise<void> {
  await context.route('**/api/desk/status', (route) => route.abort());
}

test('an outage sounds once at its start and once at its end, however many tabs are open', async ({
  page,
  context,
}) => {
  const tones = await countTones(context);
  await switchOn(page);
  // A sample plays, so that the user knows the sound.
  await expect.poll(() => tones).toEqual([660, 440]);
  const second = await context.newPage();
  await second.goto('/');
  await second.getByRole('searchbox').click();
  await breakStatus(context);
  for (const each of [page, second]) await expect(barOf(each)).toBeVisible({ timeout: 15_000 });
  await expect.poll(() => tones).toEqual([660, 440, 660, 440]);
  await context.unroute('**/api/desk/status');
  for (const each of [page, second]) await expect(barOf(each)).toBeHidden({ timeout: 15_000 });
  await expect.poll(() => tones).toEqual([660, 440, 660, 440, 440, 660]);
});

test('without the preference there is no sound, and a page that was never touched makes no sound late', async ({
  page,
  context,
}) => {
  const tones = await countTones(context);
  await breakStatus(context);
  await page.goto('/');
  await expect(barOf(page)).toBeVisible();
  await page.getByRole('searchbox').click();
  // Chromium counts a page as clicked if the previous one in its tab was.
  await page.goto('about:blank');
  const untouched = await openUntouched(context);
  await untouched.addInitScript(() => {
    localStorage.setItem('perpdesk.preferences', JSON.stringify({ version: 1, outageSound: 'on' }));
  });
  await untouched.goto('/');
  await expect(barOf(untouched)).toBeVisible();
  await waitForSound(untouched);
  await untouched.getByRole('searchbox').click();
  await context.unroute('**/api/desk/status');
  await expect(barOf(untouched)).toBeHidden({ timeout: 15_000 });
  // Only the end of the outage comes after the first click.
  await expect.poll(() => tones).toEqual([440, 660]);
});
