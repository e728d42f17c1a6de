import { type BrowserContext, expect } from '@playwright/test';
import { countTones } from './count-tones.ts';
import { badgeOf, MANY, putRule, test } from './rules-desk.ts';
import { openUntouched } from './untouched-page.ts';

const STARTING = { timeout: 20_000 };

/** Lists the titles of the notifications that any tab shows. */
async function listNotifications(context: BrowserContext): Promise<readonly string[]> {
  const titles: string[] = [];
  await context.exposeFunction('notified', (title: string) => {
    titles.push(title);
  });
  await context.addInitScript(() => {
    const { notified } = globalThis as unknown as { readonly notified: (title: string) => void };
    class CountedNotification extends EventTarget {
      static permission = 'granted';
      static requestPermission(): Promise<string> {
        return Promise.resolve('granted');
      }
      constructor(title: string) {
        super();
        notified(title);
      }
    }
    Object.assign(globalThis, { Notification: CountedNotification });
  });
  return titles;
}

test('a new alert sounds once however many tabs are open, and not again; a visible page gets no notification', async ({
  page,
  context,
}) => {
  const [tones, notifications] = [await countTones(context), await listNotifications(context)];
  await page.goto('/rules');
  await expect(badgeOf(page)).toHaveText('No alerts set', STARTING);
  await page.keyboard.press(',');
  const sound = page.getByRole('group', { name: 'Sound when an alert begins' });
  await expect(sound.getByRole('radio', { name: 'Off' })).toBeChecked();
  await sound.getByRole('radio', { name: 'Chime' }).check();
  // A sample plays, so that the user knows the sound.
  await expect.poll(() => tones).toEqual([784, 988, 1_175]);
  await page.getByRole('group', { name: 'Volume of alerts' }).getByRole('radio', { name: 'Quiet' }).check();
  await expect.poll(() => tones.length).toBe(6);
  await page
    .getByRole('group', { name: /^Notifications of alerts/ })
    .getByRole('radio', { name: 'On' })
    .check();
  await page.keyboard.press('Escape');
  await expect(badgeOf(page)).toHaveText('No alerts set', STARTING);
  const second = await context.newPage();
  await second.goto('/');
  await second.getByRole('searchbox').click();
  await expect(badgeOf(second)).toHaveText('No alerts set', STARTING);
  await putRule(page, MANY);
  for (const each of [page, second]) await expect(badgeOf(each)).toHaveText('1 warning', STARTING);
  await expect.poll(() => tones.length).toBe(9);
  await page.reload();
  await expect(badgeOf(page)).toHaveText('1 warning', STARTING);
  await putRule(page, { ...MANY, id: 'more', name: 'More', severity: 'critical' });
  await expect(badgeOf(second)).toHaveText('1 critical, 1 more', STARTING);
  await expect.poll(() => tones.length).toBe(12);
  expect(notifications).toEqual([]);
});

test.describe('where each tab reads by itself', () => {
  test.use({ live: false });

  test('a tab that nobody has clicked leaves the sound to one that may', async ({ page, context }) => {
    const tones = await countTones(context);
    await page.addInitScript(() => {
      localStorage.setItem('perpdesk.preferences', '{"version":1,"alertSound":"chime"}');
    });
    await page.goto('/');
    await page.getByRole('searchbox').click();
    await expect(badgeOf(page)).toHaveText('No alerts set', STARTING);
    const { promise: seenElsewhere, resolve } = Promise.withResolvers<undefined>();
    await page.route('**/api/desk/alerts', async (route) => {
      await seenElsewhere;
      await route.continue();
    });
    const untouched = await openUntouched(context);
    await untouched.goto('/');
    await expect(badgeOf(untouched)).toHaveText('No alerts set', STARTING);
    await putRule(untouched, MANY);
    await expect(badgeOf(untouched)).toHaveText('1 warning', STARTING);
    resolve(undefined);
    await expect(badgeOf(page)).toHaveText('1 warning', STARTING);
    await expect.poll(() => tones).toEqual([784, 988, 1_175]);
  });
});

test.describe('where it is unknown what the rules say', () => {
  test.use({ live: false, provoked: /status of 500|ERR_/ });

  test('the badge says so, and neither that there are none nor the last ones', async ({ page, context }) => {
    await putRule(page, MANY);
    await page.goto('/');
    await expect(badgeOf(page)).toHaveText('1 warning', STARTING);
    await context.route('**/api/desk/alerts', (route) => route.fulfill({ status: 500, body: '' }));
    await expect(badgeOf(page)).toHaveText('Alerts unknown', STARTING);
    await context.unroute('**/api/desk/alerts');
    await expect(badgeOf(page)).toHaveText('1 warning', { timeout: 40_000 });
  });

  test('an evaluation that is too old is no evaluation', async ({ page, context }) => {
    await context.route('**/api/desk/alerts', async (route) => {
      const response = await route.fetch();
      const body = (await response.json()) as object;
      await route.fulfill({ response, json: { ...body, rules: 1, evaluated_at: '2026-01-01T00:00:00.000Z' } });
    });
    await page.goto('/');
    await expect(badgeOf(page)).toHaveText('Alerts unknown', STARTING);
  });
});
