import { expect, test } from 'vitest';
import type { Day } from '#contract/day.ts';
import { toDecimal } from '#domain/decimal.ts';
import type { VoiBar } from '#domain/voi.ts';
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
