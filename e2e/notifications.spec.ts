import { expect, type Page } from '@playwright/test';
import { respondsWith } from '#testing/notifications/receiver.ts';
import { CHANNELS, test } from './notifications-desk.ts';
import { expectNoViolation } from './expect-no-violation.ts';
import { expectAccessible, expectToFit, inEachLook } from './looks.ts';
import { MANY, putRule } from './rules-desk.ts';
import { takeShot } from './take-shot.ts';

/** The first alerts are collected for five seconds, and a busy machine takes longer. */
const CALLED = { timeout: 30_000 };

const rowOf = (page: Page, table: string, text: string) =>
  page.getByRole('group', { name: table }).getByRole('row').filter({ hasText: text });
const testButton = (page: Page, channel: string) => page.getByRole('button', { name: `Send a test to ${channel}` });

async function open(page: Page): Promise<void> {
  await page.goto('/rules?show=calls');
  await expect(testButton(page, CHANNELS.standard)).toBeVisible(CALLED);
}

/** Tests the channels from the first button to the last, using only the keyboard. */
async function testAll(page: Page, outcome: string): Promise<void> {
  await testButton(page, CHANNELS.standard).focus();
  for (const [index, channel] of Object.values(CHANNELS).entries()) {
    if (index > 0) await page.keyboard.press('Tab');
    await expect(testButton(page, channel)).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(page.getByText(`Test to ${channel}: ${outcome}`, { exact: true })).toBeVisible(CALLED);
    await expect(testButton(page, channel)).toHaveText('Send a test');
    const row = rowOf(page, 'Deliveries, newest first', `the channel ${channel}:`);
    await expect(row).toContainText('test');
    await expect(row).toContainText(outcome);
  }
}

test('a test of each kind of channel arrives, and is in the log, by the keyboard alone', async ({ page, desk }) => {
  desk.receiver.replies(respondsWith(200, {}, 'ok'));
  await open(page);
  await expect(page.getByText('No deliveries so far')).toBeVisible();
  await testAll(page, 'delivered');
  expect(desk.receiver.notifications.map(({ path }) => path.split('/')[1])).toEqual(['hooks', 'services', 'v2']);
  expect(desk.mail.mails.map(({ to }) => to)).toEqual([['duty@firm.example']]);
  // A test is not a notification: nothing was sent for an alert.
  await expect(rowOf(page, 'Channels', CHANNELS.standard)).toContainText('untried');
  await expectNoViolation(page);
});

test('where a receiver does not take it, a test says why, with what came back', async ({ page, desk }) => {
  desk.receiver.replies(respondsWith(503, {}, 'closed for today'));
  desk.mail.rejects(550);
  await open(page);
  await testAll(page, 'failed');
  await expect(rowOf(page, 'Deliveries, newest first', `the channel ${CHANNELS.slack}:`)).toContainText('503');
  await expect(rowOf(page, 'Deliveries, newest first', `the channel ${CHANNELS.slack}:`)).toContainText(
    'closed for today',
  );
  await expect(rowOf(page, 'Deliveries, newest first', `the channel ${CHANNELS.mail}:`)).toContainText('no thanks');
  await expectNoViolation(page);
});

test.describe('in haste', () => {
  test.use({ provoked: /status of 429/ });

  test('a second test is refused, and says for how long', async ({ page }) => {
    await open(page);
    const first = await page.request.post(`/api/desk/calls/test?channel=${CHANNELS.mail}`, {
      headers: { 'desk-action': 'testChannel' },
    });
    expect(first.status()).toBe(200);
    await testButton(page, CHANNELS.mail).press('Enter');
    await expect(page.getByText(/^Too soon\. night was tested a moment ago: wait \d+ s\.$/)).toBeVisible();
    await expect(testButton(page, CHANNELS.mail)).toBeFocused();
  });
});

test('a call that fails is sent again later, and a channel that ended says what enables it', async ({ page, desk }) => {
  desk.receiver.replies((response, { url = '' }) => {
    if (url.startsWith('/hooks')) response.writeHead(410).end();
    else response.writeHead(503, { 'retry-after': '3000' }).end('closed for today');
  });
  await putRule(page, { ...MANY, channels: [CHANNELS.standard, CHANNELS.slack, CHANNELS.mail] });
  await open(page);
  const channel = (name: string) => rowOf(page, 'Channels', name);
  await expect(channel(CHANNELS.standard)).toContainText(/ended .+ ago/, CALLED);
  await expect(channel(CHANNELS.slack)).toContainText(/failing for/, CALLED);
  await expect(channel(CHANNELS.mail)).toContainText('working', CALLED);
  const waiting = async (name: string) => (await channel(name).getByRole('cell').allTextContents()).slice(4, 5);
  expect([await waiting(CHANNELS.standard), await waiting(CHANNELS.slack), await waiting(CHANNELS.mail)]).toEqual([
    ['1'],
    ['1'],
    ['0'],
  ]);
  // No attempt is planned for a channel that was deleted.
  await expect(channel(CHANNELS.standard).getByRole('cell').nth(7)).toHaveText('–');
  await expect(channel(CHANNELS.slack).getByRole('cell').nth(7)).toHaveText(/UTC$/);
  await expect(
    page.getByText(
      'A channel that has ended gets no notifications until a test is delivered to it, its settings change, or Perpdesk is restarted.',
    ),
  ).toBeVisible();
  // The log updates with the channels by itself.
  await expect(rowOf(page, 'Deliveries, newest first', 'ended')).toContainText('410');
  await expect(rowOf(page, 'Deliveries, newest first', 'closed for today')).toContainText('failed');
  await inEachLook(
    page,
    [
      [390, 900],
      [1_280, 900],
      [2_560, 900],
    ],
    async (look) => {
      await expectToFit(page, look);
      await expectAccessible(page, look);
      await takeShot(page, `calls-${look.colorScheme}-${String(look.width)}`);
    },
  );
  desk.receiver.replies(respondsWith(204));
  await testButton(page, CHANNELS.standard).press('Enter');
  await expect(channel(CHANNELS.standard)).toContainText('working', CALLED);
  await expect(rowOf(page, 'Deliveries, newest first', CHANNELS.standard).filter({ hasText: '204' })).toHaveCount(
    2,
    CALLED,
  );
});

test('the log can be narrowed to a channel, by its address too', async ({ page, desk }) => {
  desk.receiver.replies(respondsWith(200));
  await open(page);
  await testButton(page, CHANNELS.slack).press('Enter');
  await expect(rowOf(page, 'Deliveries, newest first', CHANNELS.slack)).toHaveCount(1, CALLED);
  await page.getByRole('combobox', { name: 'Channel' }).selectOption(CHANNELS.mail);
  await expect(page).toHaveURL(/[?&]channel=night/);
  await expect(page.getByText('No deliveries to this channel')).toBeVisible();
  await page.getByRole('button', { name: 'Show all channels' }).press('Enter');
  await expect(page).not.toHaveURL(/channel=/);
  await page.goto(`/rules?show=calls&channel=${CHANNELS.slack}`);
  await expect(rowOf(page, 'Deliveries, newest first', CHANNELS.slack)).toHaveCount(1, CALLED);
});

test.describe('while the store cannot be read', () => {
  test.use({ provoked: /status of 500/ });

  test('channels and log say so, each with a way to try again', async ({ page, context }) => {
    await context.route('**/api/desk/calls**', (route) => route.fulfill({ status: 500, body: '' }));
    await page.goto('/rules?show=calls');
    const again = (panel: string) =>
      page.getByRole('region', { name: panel }).getByRole('button', { name: 'Try again' });
    await expect(again('Channels')).toBeVisible(CALLED);
    await expect(again('Deliveries')).toBeVisible(CALLED);
    await expectNoViolation(page);
    await context.unroute('**/api/desk/calls**');
    await again('Deliveries').press('Enter');
    await expect(page.getByText('No deliveries so far')).toBeVisible();
    await again('Channels').press('Enter');
    await expect(testButton(page, CHANNELS.standard)).toBeVisible();
  });
});
