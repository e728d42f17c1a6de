import { expect, test } from 'vitest';
import type { Day } from '#contract/day.ts';
import type { Period } from '#domain/bars.ts';
import { toDecimal } from '#domain/decimal.ts';
import type { VoiBar } from '#domain/voi-bars.ts';
import { toTotalPicture } from './to-total-picture.ts';

function bar(openInterest: string | null): VoiBar {
  const level = openInterest === null ? null : toDecimal(openInterest);
  const [volume, date] = [toDecimal('5'), '2026-01-02' as Day];
  return { date, lastDate: date, volume, volumeUsd: volume, openInterest: level, openInterestUsd: level, openInterestDate: date, drawnOpenInterest: level?.toNumber() ?? null };
}

function scalesOf(levels: readonly (string | null)[]) {
  return toTotalPicture(levels.map(bar), 'contracts', '1D').panes.map(({ name, scales }) => [name, scales]);
}

test('volume can be logarithmic, open interest in percent too, a gap or not', () => {
  expect(scalesOf(['7', null, '9'])).toEqual([
    ['Volume', ['log']],
    ['Open interest', ['log', 'percent']],
  ]);
});

test('open interest that was zero has no percent', () => {
  expect(scalesOf(['0', '9'])).toEqual([
    ['Volume', ['log']],
    ['Open interest', ['log']],
  ]);
});

test('a week is named by its Monday and a month by its first, whatever traded first in it', () => {
  const named = (period: Period): unknown => {
    const { times, timeText } = toTotalPicture([bar('7')], 'contracts', period);
    return [times, timeText(0)];
  };
  expect(named('1D')).toEqual([['2026-01-02'], '2 Jan 2026']);
  expect(named('1W')).toEqual([['2025-12-29'], '29 Dec 2025']);
  expect(named('1M')).toEqual([['2026-01-01'], '1 Jan 2026']);
});
