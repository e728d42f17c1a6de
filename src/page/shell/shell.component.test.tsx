import { page, type Locator } from 'vitest/browser';
import { expect, it, test } from 'vitest';
import { open } from '#testing/component/mount.tsx';
import { changing, toBody } from '#testing/component/change-answers.ts';
import { ago, HUNDRED, toAlerts } from '#testing/alerts.ts';
import { openAlerts } from '#testing/component/alerts-page.ts';
import { address, expectCount, expectText, press, textsOf } from '#testing/component/screen.ts';

const banner = (): Locator => page.getByRole('banner');
const links = (): Locator => page.getByRole('navigation', { name: 'Screens' }).getByRole('link');
const THEMES = { light: 'rgb(246, 247, 249)', dark: 'rgb(14, 17, 23)' } as const;

function isInWindow(part: Element): boolean {
  const { left, right, top, bottom } = part.getBoundingClientRect();
  return left >= 0 && right <= innerWidth && top >= 0 && bottom <= innerHeight;
}

it.each(Object.entries(THEMES))('has the preferred theme: %s', async (theme, colour) => {
  localStorage.setItem('perpdesk.preferences', JSON.stringify({ version: 1, theme }));
  await open('/status');
  expect(getComputedStyle(document.body).backgroundColor).toBe(colour);
});

it('has screens, search, connection and preferences in sight at every width', async () => {
  await open('/status');
  for (const [width, height] of [
    [320, 640],
    [360, 740],
    [1_440, 900],
    [3_840, 2_160],
  ] as const) {
    await page.viewport(width, height);
    await expect.poll(() => document.documentElement.scrollWidth).toBe(width);
    for (const name of ['Markets', 'Price', 'Curve', 'Volume / OI', 'Funding', 'Orders', 'Rules', 'Status'])
      await expect.element(banner().getByRole('link', { name, exact: true })).toBeInViewport();
    const parts = [
      banner().getByRole('button', { name: 'Search' }),
      banner().getByRole('button', { name: 'Preferences' }),
      banner().getByText('Simulated exchange'),
    ];
    expect(parts.map((part) => isInWindow(part.element()))).toEqual([true, true, true]);
  }
  await expectText(banner().getByRole('link', { name: /^Simulated exchange/ }), /exchange\s12:30:0\d UTC$/);
});

/** Returns the parts of the header that are cut off or overlap another. */
function findFaults(): readonly string[] {
  const parts = [...banner().element().querySelectorAll<HTMLElement>('a, button, a > span')].filter(
    (part) => part.getClientRects().length > 0,
  );
  const isCut = (part: HTMLElement): boolean => {
    const { left, right } = part.getBoundingClientRect();
    const nav = part.closest('nav')?.getBoundingClientRect();
    // The search field gives way to everything else.
    const isClipped = part.scrollWidth > part.clientWidth + 1 && part.clientWidth > 0 && part.ariaKeyShortcuts === null;
    return left < 0 || right > innerWidth || (nav !== undefined && right > nav.right + 1) || isClipped;
  };
  const isOver = (one: HTMLElement, other: HTMLElement): boolean => {
    if (one.contains(other) || other.contains(one)) return false;
    const [a, b] = [one.getBoundingClientRect(), other.getBoundingClientRect()];
    return a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
  };
  return parts
    .filter((part) => isCut(part) || parts.some((other) => isOver(part, other)))
    .map((part) => part.innerText);
}

test('at any width, no part of the header is cut, overlaps another or leaves the window', async () => {
  await open('/status');
  await document.fonts.ready;
  for (const width of [320, 360, 390, 480, 640, 759, 760, 900, 1_024, 1_099, 1_100, 1_200, 1_280, 1_366]) {
    await page.viewport(width, 400);
    expect(findFaults(), `at ${String(width)} px`).toEqual([]);
  }
});

test('with a hundred alerts and few requests left, nothing of the header is cut or overlaps, and the alerts are named', async () => {
  const change = changing(
    /\/desk\/status/,
    toBody((status: { readonly budget: object }) => ({
      ...status,
      budget: { ...status.budget, limit: { requests: 200, seconds: 300, reserve: 30 }, used: 172 },
    })),
  );
  const alerts = [
    ...HUNDRED,
    ...HUNDRED.slice(0, 30).map((alert) => ({ ...alert, rule_id: 'other', silenced_until: ago(-600) })),
    ...HUNDRED.slice(0, 12).map((alert) => ({ ...alert, rule_id: 'third', state: 'no data' as const })),
  ];
  await openAlerts(toAlerts(alerts), { at: '/status', change });
  await document.fonts.ready;
  const badge = banner().getByRole('button', { name: '1 critical' });
  await expect.element(badge).toBeVisible();
  await expect.element(banner().getByText('Data slower')).toBeVisible();
  for (const width of [320, 350, 375, 390, 400, 480, 760, 1_024, 1_280, 1_320, 1_366, 1_440, 1_920]) {
    await page.viewport(width, 900);
    expect(findFaults(), `at ${String(width)} px`).toEqual([]);
    expect(textsOf(badge)[0], `at ${String(width)} px`).toMatch(/^1 critical, 99 more/);
    const links = banner().getByRole('link');
    for (const name of ['Simulated exchange', 'Rules', 'Status'])
      await expect.element(links.filter({ hasText: name }).first()).toBeInViewport();
  }
  await expect.element(badge).toHaveTextContent('1 critical, 99 more · 30 silenced · 12 without data');
});

test('a failing channel is named beside a hundred alerts at every width, and on Alerts', async () => {
  const failing = {
    failing_channels: [
      { name: 'night', since: ago(2_105), waiting: 4, sentence: 'Notifications to night have failed since 11:55 UTC.' },
    ],
  };
  const alerts = [
    ...HUNDRED,
    ...HUNDRED.slice(0, 30).map((alert) => ({ ...alert, rule_id: 'other', silenced_until: ago(-600) })),
  ];
  await openAlerts(toAlerts(alerts, failing), { at: '/status' });
  await document.fonts.ready;
  const badge = banner().getByRole('button', { name: '1 critical' });
  await expect.element(badge).toBeVisible();
  for (const width of [320, 390, 760, 1_024, 1_280, 1_320, 1_366, 1_440, 1_920]) {
    await page.viewport(width, 900);
    expect(findFaults(), `at ${String(width)} px`).toEqual([]);
    expect(textsOf(badge)[0], `at ${String(width)} px`).toMatch(
      /^1 critical, 99 more · night: notifications failing for 35 min/,
    );
  }
  await badge.click();
  const popup = page.getByRole('dialog', { name: 'Alerts' });
  await expect.element(popup.getByText('Notifications to night have failed since 11:55 UTC.')).toBeVisible();
  await popup.getByRole('link', { name: 'All alerts and rules' }).click();
  await page.getByRole('main').getByRole('link', { name: 'Notifications' }).click();
  await expect.poll(address).toBe('/rules?show=calls');
});

test('on a phone, the head is one line, and the screens are one line of tabs below everything else', async () => {
  await openAlerts(toAlerts(HUNDRED), { at: '/status' });
  await document.fonts.ready;
  await expect.element(banner().getByRole('button', { name: '1 critical' })).toBeVisible();
  const middles = () =>
    [...banner().element().children]
      .filter((part) => part.tagName !== 'NAV' && part.getClientRects().length > 0)
      .map((part) => part.getBoundingClientRect())
      .map(({ top, bottom }) => Math.round((top + bottom) / 2));
  for (const width of [320, 360, 390, 430]) {
    await page.viewport(width, 800);
    expect(findFaults(), `at ${String(width)} px`).toEqual([]);
    expect(new Set(middles()), `at ${String(width)} px`).toHaveProperty('size', 1);
    const tops = links()
      .elements()
      .map((link) => link.getBoundingClientRect().top);
    expect(tops).toHaveLength(8);
    expect(new Set(tops)).toHaveProperty('size', 1);
    expect(tops[0]).toBeGreaterThanOrEqual(page.getByRole('main').element().getBoundingClientRect().bottom);
  }
});

test('a link opens its screen and Back returns; the navigation marks which it is', async () => {
  const current = links().and(page.getBySelector('[aria-current=page]'));
  await open('/status');
  await expectText(current, 'Status');
  await banner().getByRole('link', { name: 'Funding', exact: true }).click();
  await expect.poll(address).toBe('/funding');
  await expect.poll(() => document.title).toBe('Funding · Perpdesk');
  await expectText(current, 'Funding');
  history.back();
  await expect.element(page.getByRole('heading', { name: 'Request budget' })).toBeVisible();
  await expectText(current, 'Status');
});

test('an unknown address says so and lists the screens', async () => {
  await open('/pricing');
  await expect.element(page.getByRole('heading', { name: 'Page not found' })).toBeVisible();
  await expect.element(page.getByText('No screen exists at /pricing.')).toBeVisible();
  await page.getByRole('main').getByRole('link', { name: 'Status' }).click();
  await expect.element(page.getByRole('heading', { name: 'Status' })).toBeVisible();
  await expectCount(page.getByRole('heading', { name: 'Page not found' }), 0);
});

test('the first Tab stop skips the header', async () => {
  await open('/status');
  await press('Tab');
  await expect.element(page.getByRole('link', { name: 'Skip to content' })).toHaveFocus();
  await press('Enter');
  await expect.element(page.getByRole('main')).toHaveFocus();
});
