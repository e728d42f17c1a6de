// Tests what the screen shows of expiries; sums of open interest and the calendar file are tested in the model.
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { changing, unreachable } from '#testing/component/change-answers.ts';
import { expectAccessible, expectToFit } from '#testing/component/looks.ts';
import { open } from '#testing/component/mount.tsx';
import { exportAs, exportMenu, expectText, expectToContain, fileSavedBy } from '#testing/component/screen.ts';

const CALENDAR = '/curve/BTC?view=calendar';
const main = page.getByRole('main');
const grid = page.getByRole('grid', { name: 'BTC expiries' });
const cellOf = (month: string, column: string) =>
  grid
    .getBySelector('[role=row]')
    .filter({ has: page.getByRole('gridcell', { name: month, exact: true }) })
    .getBySelector(`[data-column="${column}"]`);

test('says what expires when, in the zone of the person, and how open interest moved in a week', async () => {
  await open(CALENDAR);
  await expectToContain(main, 'Q26 expires next, in 11 days.');
  await expectText(cellOf('Z26', 'expiry'), '2026-12-25 22:00:00 UTC');
  // 149 contracts of 1 BTC and 363 of 0.01; a week before, 120 and 447.
  await expectText(cellOf('Z26', 'now'), '152.63');
  await expectText(cellOf('Z26', 'weekBefore'), '124.47');
  await expectText(cellOf('Z26', 'change'), '+28.16');
  await expectToContain(cellOf('Z26', 'expiring'), 'BUCZ26, BUSZ26');
  await expectToContain(main, 'From 7 Aug 2026 to 14 Aug 2026, open interest');
  await open(`${CALENDAR}&zone=chicago`);
  await expectText(cellOf('Z26', 'expiry'), '2026-12-25 16:00:00 Chicago');
});

test('a calendar file has the expiries of the underlying, or of all', async () => {
  await open(CALENDAR);
  const one = await fileSavedBy(() => exportAs('Calendar of BTC', exportMenu('expiries')));
  expect(one.name).toBe('expiries-BTC.ics');
  expect(one.text).toContain('DTSTART:20261225T220000Z\r\n');
  expect(one.text).not.toContain('ETH expiry');
  const all = await fileSavedBy(() => exportAs('Calendar of all underlyings', exportMenu('expiries')));
  expect(all.text).toContain('SUMMARY:ETH expiry');
  const { text } = await fileSavedBy(() => exportAs('CSV, figures only', exportMenu('expiries')));
  expect(text).toContain('2026-12-25T22:00:00.000000000Z,BTC,');
});

test('without open interest the dates stay, and the screen says why', async () => {
  await open(CALENDAR, { change: changing(/charts\/voi/, unreachable) });
  await expectText(cellOf('Z26', 'expiry'), '2026-12-25 22:00:00 UTC');
  await expectText(cellOf('Z26', 'now'), '–');
  await expectToContain(main, 'Open interest could not be read: The connection was refused.');
});

test('it is accessible, and fits a phone', async () => {
  await open(CALENDAR);
  await expectText(cellOf('Z26', 'now'), '152.63');
  await expectAccessible();
  await expectToFit(390, 1_440);
});
