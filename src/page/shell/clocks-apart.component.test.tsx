import { page, type Locator } from 'vitest/browser';
import { expect, test } from 'vitest';
import type { DeskStatus } from '#contract/desk/desk.ts';
import { open, type Change } from '#testing/component/mount.tsx';
import { expectText } from '#testing/component/screen.ts';

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
  ['/funding', 'next'],
] as const)('the funding countdown on %s follows the exchange’s clock', async (path, column) => {
  await open(path, { change: toAhead(AHEAD_MS), size: [1_720, 4_400] });
  await expectText(cellOf(column, /\d/), '0:48:00');
});

test('the elapsed share of an interval follows the exchange’s clock', async () => {
  await open('/funding', { change: toAhead(AHEAD_MS), size: [1_720, 4_400] });
  await expectText(cellOf('elapsed', /%/), /^90\.0 % · /);
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
  await expect.element(page.getByRole('banner').getByText(/Exchange 15:12:0\d UTC/)).toBeVisible();
});
