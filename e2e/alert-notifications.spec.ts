import { type BrowserContext, expect, type Page } from '@playwright/test';
import { badgeOf, MANY, putRule, test } from './rules-desk.ts';

const STARTING = { timeout: 20_000 };
/** Data are read every few seconds, and alerts follow some seconds later. */
const SHOWN = { timeout: 30_000 };

interface Recorded {
  readonly title: string;
  readonly body: string;
}

/** Records the browser’s own notifications as they are made, and lets pages be hidden as tabs are. */
async function record(context: BrowserContext) {
  const notifications: Recorded[] = [];
  let asked = 0;
  await context.exposeFunction('notified', (notification: Recorded) => {
    notifications.push(notification);
  });
  await context.exposeFunction('askedForPermission', () => {
    asked += 1;
  });
  await context.addInitScript(() => {
    const { notified, askedForPermission } = globalThis as unknown as {
      readonly notified: (recorded: object) => void;
      readonly askedForPermission: () => void;
    };
    const made: Notification[] = [];
    const Real = Notification;
    // Without a window, Chromium has the permission, but not where pages look for it.
    let permission = Real.permission;
    void navigator.permissions.query({ name: 'notifications' }).then(({ state }) => {
      permission = state === 'prompt' ? 'default' : state;
    });
    class RecordedNotification extends Real {
      static override get permission(): NotificationPermission {
        return permission;
      }
      static override async requestPermission(): Promise<NotificationPermission> {
        askedForPermission();
        permission = await Real.requestPermission();
        return permission;
      }
      constructor(title: string, options: NotificationOptions = {}) {
        super(title, options);
        made.push(this);
        notified({ title, body: options.body });
      }
    }
    const isHidden = (): boolean => sessionStorage.getItem('hidden') === 'yes';
    Object.defineProperty(document, 'hidden', { get: isHidden });
    Object.defineProperty(document, 'visibilityState', { get: () => (isHidden() ? 'hidden' : 'visible') });
    Object.assign(globalThis, { Notification: RecordedNotification, made });
  });
  return { notifications, asked: () => asked };
}

async function setHidden(page: Page, isHidden: boolean): Promise<void> {
  await page.evaluate((hidden) => {
    sessionStorage.setItem('hidden', hidden ? 'yes' : 'no');
    document.dispatchEvent(new Event('visibilitychange'));
  }, isHidden);
}

async function turnOn(page: Page): Promise<void> {
  await page.keyboard.press(',');
  const choice = page.getByRole('group', { name: /^Notifications of alerts/ }).getByRole('radio', { name: 'On' });
  // The page asks the browser first.
  await choice.click();
  await expect(choice).toBeChecked();
  await page.keyboard.press('Escape');
}

async function putRules(page: Page, rules: readonly object[]): Promise<void> {
  const response = await page.request.post('/api/desk/rules', {
    headers: { 'desk-action': 'importRules' },
    data: { rules },
  });
  expect(response.status()).toBe(200);
}

test.describe('where the browser allows notifications', () => {
  test.use({ permissions: ['notifications'] });

  test('many that fire together are one notification, which is shown once and leads to the worst', async ({
    page,
    context,
  }) => {
    const { notifications, asked } = await record(context);
    await page.goto('/');
    await expect(badgeOf(page)).toHaveText('No alerts set', STARTING);
    expect(asked()).toBe(0);
    await turnOn(page);
    await expect.poll(asked).toBe(1);
    await setHidden(page, true);
    await putRules(page, [MANY, { ...MANY, id: 'more', name: 'More', severity: 'critical' }]);
    await expect(badgeOf(page)).toHaveText('1 critical, 1 more', SHOWN);
    await expect
      .poll(() => notifications)
      .toEqual([{ title: '2 alerts, the worst critical', body: 'More, Many orders' }]);
    await page.reload();
    await expect(badgeOf(page)).toHaveText('1 critical, 1 more', SHOWN);
    // A further notification shows that the first two were not forgotten, but known.
    await putRule(page, { ...MANY, id: 'third', name: 'Third' });
    await expect.poll(() => notifications.length, SHOWN).toBe(2);
    expect(notifications[1]?.title).toBe('Third (warning)');
    expect(asked()).toBe(1);
    await setHidden(page, false);
    await page.evaluate(() => {
      const { made } = globalThis as unknown as { readonly made: readonly Notification[] };
      made.at(-1)?.dispatchEvent(new Event('click'));
    });
    await expect(page).toHaveURL(/\/rules\?alert=third$/);
    await expect(page.getByRole('complementary', { name: 'Alert' })).toContainText('Third');
    await page.getByRole('radio', { name: 'History' }).check();
    await expect(page).toHaveURL(/\/rules\?show=history$/);
  });

  test('a hidden tab is silent while another one is visible, and of many hidden ones a single one speaks', async ({
    page,
    context,
  }) => {
    const { notifications } = await record(context);
    await page.goto('/');
    await expect(badgeOf(page)).toHaveText('No alerts set', STARTING);
    await turnOn(page);
    const hidden = [await context.newPage(), await context.newPage()];
    for (const other of hidden) {
      await other.goto('/status');
      await expect(badgeOf(other)).toHaveText('No alerts set', STARTING);
      await setHidden(other, true);
    }
    await putRule(page, MANY);
    for (const each of [page, ...hidden]) await expect(badgeOf(each)).toHaveText('1 warning', SHOWN);
    await setHidden(page, true);
    await putRule(page, { ...MANY, id: 'more', name: 'More', severity: 'critical' });
    for (const each of [page, ...hidden]) await expect(badgeOf(each)).toHaveText('1 critical, 1 more', SHOWN);
    await expect.poll(() => notifications.map(({ title }) => title)).toEqual(['More (critical)']);
  });

  test('a permission that is taken back is said where notifications are on', async ({ page, context }) => {
    await record(context);
    await page.goto('/');
    await expect(badgeOf(page)).toHaveText('No alerts set', STARTING);
    await turnOn(page);
    await context.clearPermissions();
    await page.reload();
    await expect(badgeOf(page)).toHaveText('No alerts set', STARTING);
    await page.keyboard.press(',');
    await expect(page.getByText('This browser blocks notifications from Perpdesk')).toBeVisible();
  });
});

test('a refused permission is said, and leaves notifications off', async ({ page, context }) => {
  const { asked } = await record(context);
  await page.goto('/');
  await expect(badgeOf(page)).toHaveText('No alerts set', STARTING);
  await page.keyboard.press(',');
  const choice = page.getByRole('group', { name: /^Notifications of alerts/ });
  // The browser denies permission without asking, so the choice reverts.
  await choice.getByRole('radio', { name: 'On' }).click();
  await expect(page.getByText('This browser blocks notifications from Perpdesk')).toBeVisible();
  await expect(choice.getByRole('radio', { name: 'Off' })).toBeChecked();
  expect(asked()).toBe(1);
});
