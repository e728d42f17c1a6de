import { page, type Locator } from 'vitest/browser';
import { expect, test } from 'vitest';
import type { DeskStatus } from '#contract/desk/status.ts';
import { open, type Change } from '#testing/component/mount.tsx';
import { RECORDED_AT } from '#testing/component/recorded-at.ts';
import { expectToFit } from '#testing/component/looks.ts';
import { expectText, expectToContain } from '#testing/component/screen.ts';
import { RESPONDED_AT_HEADER } from '#contract/desk/desk.ts';

const [MINUTE_MS, DAY_MS] = [60_000, 86_400_000];
/** By the server's clock, the next funding time is 3 h 30 min away; by this one, 48 min of 8 h. */
const AHEAD_MS = 162 * MINUTE_MS;

/** Makes the exchange's clock appear ahead of the server's, or behind it. */
function toAhead(milliseconds: number): Change {
  return (answer) => {
    if (answer.target !== '/api/desk/status') return answer;
    const status = JSON.parse(answer.text) as DeskStatus;
    return {
      ...answer,
      text: JSON.stringify({ ...status, venue: { ...status.venue, clock_offset_ms: milliseconds } }),
    };
  };
}

/** Returns the first cell of a column whose text matches. */
const cellOf = (column: string, text: RegExp): Locator =>
  page.getBySelector(`[role=gridcell][data-column="${column}"]`).filter({ hasText: text }).first();

test.each([
  ['/', 'boundary'],
  ['/funding?sort=next', 'next'],
] as const)('the funding countdown on %s follows the exchange’s clock', async (path, column) => {
  await open(path, { change: toAhead(AHEAD_MS), size: [1_720, 4_400] });
  await expectText(cellOf(column, /\d/), '0:48:00');
});

test('the elapsed share of an interval follows the exchange’s clock', async () => {
  await open('/funding', { change: toAhead(AHEAD_MS), size: [1_720, 4_400] });
  await expect.element(page.getByText(/ of the weight is in \(90\.0 % of the time\)/)).toBeVisible();
});

test('ages of orders follow the exchange’s clock; orders from the future have none', async () => {
  const age = cellOf('age', /./);
  const { unmount } = await open('/orders', { change: toAhead(400 * DAY_MS) });
  await expectText(age, /400 d 0 h$/);
  unmount();
  await open('/orders', { change: toAhead(-400 * DAY_MS) });
  await expectText(age, '–');
});

test('the header has the time of the exchange’s clock', async () => {
  await open('/status', { change: toAhead(AHEAD_MS) });
  await expect.element(page.getByRole('banner').getByText(/^2026-08-17 15:1[23]:\d\d UTC/)).toBeVisible();
});

const LATER_MS = 3 * DAY_MS;

/** Makes the clock of the machine, on which server and browser run, three days ahead of the exchange's. */
const ahead = {
  at: RECORDED_AT + LATER_MS,
  change: (answer) => {
    const respondedAt = answer.headers[RESPONDED_AT_HEADER];
    const later = (time: string): string => new Date(Date.parse(time) + LATER_MS).toISOString();
    const headers = { ...answer.headers, ...(respondedAt && { [RESPONDED_AT_HEADER]: later(respondedAt) }) };
    if (answer.target !== '/api/desk/status') return { ...answer, headers };
    const status = JSON.parse(answer.text) as DeskStatus;
    const venue = { ...status.venue, clock_offset_ms: -LATER_MS };
    return { ...answer, headers, text: JSON.stringify({ ...status, now: later(status.now), venue }) };
  },
} satisfies { readonly at: number; readonly change: Change };

test.each(['/price/PBTCUCZ50', '/volume/PBTCUCZ50', '/funding?window=7d'])(
  '%s reads the days of the exchange’s clock',
  async (path) => {
    const { requested: sound, unmount } = await open(path);
    unmount();
    const { requested } = await open(path, ahead);
    await expect.poll(() => sound.filter((target) => !requested.includes(target))).toEqual([]);
  },
);

test('the session and the time of a predicted rate are those of the exchange’s clock', async () => {
  await open('/price/PBTCUCZ50', ahead);
  const figures = page.getByRole('region', { name: 'PBTCUCZ50 current figures' });
  await expectToContain(figures, 'Session of 17 Aug 2026');
  await figures.getBySelector('dl > div').filter({ hasText: 'Predicted rate' }).getByRole('button').click();
  await expectToContain(page.getByRole('dialog'), '2026-08-17 12:30');
});

test('a machine whose clock is on another day says so, with the exchange’s date', async () => {
  await open('/', ahead);
  await expectToContain(page.getByRole('banner'), '2026-08-17 12:30');
  await expectToContain(page.getByRole('banner'), 'this machine 3 d ahead of it');
});

test('on a phone that takes a line of its own, and reaches into nothing', async () => {
  await open('/', ahead);
  const header = page.getByRole('banner');
  const note = header.getByRole('link', { name: /this machine 3 d ahead of it$/ });
  for (const width of [600, 390, 360, 320]) {
    await expectToFit(width);
    const search = header.getByRole('button', { name: 'Search' }).element().getBoundingClientRect();
    expect(note.element().getBoundingClientRect().bottom).toBeLessThanOrEqual(search.top);
  }
});

test.each(['/orders/activity', '/rules'])('times on %s say by which clock', async (path) => {
  await open(path, ahead);
  await expectToContain(page.getByRole('main'), 'Times here are by this machine’s clock, 3 d ahead of the exchange’s.');
});
