import { SLOT_NAMES, toPeriodStart, type Period } from '#domain/bars.ts';
import type { Decimal } from '#domain/decimal.ts';
import type { VoiBar } from '#domain/voi-bars.ts';
import type { Picture, Readout, Series } from '#ui/chart/picture.ts';
import { scalesOf } from '#ui/chart/scales-of.ts';
import { describeDay, formatAmount, formatAxis, UNIT_TEXTS, type VolumeUnit } from './volume-text.ts';

/** One line of volume and open interest: of a product, or the venue's total of several. */
export function toTotalPicture(bars: readonly VoiBar[], unit: VolumeUnit, period: Period): Picture {
  const volumeOf = (bar: VoiBar): Decimal | null => (unit === 'usd' ? bar.volumeUsd : bar.volume);
  const days = bars.map(({ date }) => toPeriodStart(date, period));
  const levelOf = (bar: VoiBar): Decimal | null => (unit === 'usd' ? bar.openInterestUsd : bar.openInterest);
  const readout = (name: string, ink: Readout['ink'], of: (bar: VoiBar) => Decimal | null): Readout => ({
    name,
    unit: UNIT_TEXTS[unit],
    ...(ink && { ink }),
    text: (index) => formatAmount(pick(bars[index], of)),
  });
  const of: Readout = { name: 'Open interest of', unit: '', text: (index) => describeDay(bars[index]?.openInterestDate ?? undefined) || '–' };
  const openInterest: readonly Series[] = [{ kind: 'line', ink: 'series-2', values: bars.map((bar) => levelOf(bar)?.toNumber() ?? null) }];
  return {
    times: days,
    timeName: SLOT_NAMES[period],
    timeText: (index) => describeDay(days[index]),
    panes: [
      {
        name: 'Volume',
        unit: UNIT_TEXTS[unit],
        share: 1,
        format: formatAxis,
        scales: ['log'],
        series: [{ kind: 'columns', ink: 'accent', values: bars.map((bar) => volumeOf(bar)?.toNumber() ?? null) }],
      },
      {
        name: 'Open interest',
        unit: UNIT_TEXTS[unit],
        share: 1,
        format: formatAxis,
        scales: scalesOf(openInterest),
        series: openInterest,
      },
    ],
    readouts: [readout('Volume', 'accent', volumeOf), readout('Open interest', 'series-2', levelOf), of],
  };
}

function pick<T>(bar: VoiBar | undefined, of: (bar: VoiBar) => T): T | null {
  return bar === undefined ? null : of(bar);
}
