import { BAR_DATE_LABELS, toPeriodStart, type Period } from '../../time/period.ts';
import type { Decimal } from '../../units/decimal.ts';
import type { VoiBar } from '../../voi/voi-bars.ts';
import { inPercent } from '../in-percent.ts';
import type { Pane, Picture, Readout } from '../picture.ts';
import type { VoiField } from '../../voi/voi-rows.ts';
import {
  describeDay,
  FIELDS,
  formatAmount,
  formatAxis,
  NOT_AVAILABLE,
  UNIT_TEXTS,
  type VolumeUnit,
} from './volume-text.ts';

interface PictureOptions {
  readonly unit: VolumeUnit;
  readonly period: Period;
  /** Open interest is shown as percent changes from this bar. */
  readonly base?: VoiBar | null;
}

/** The first bar with open interest, as the base of a percent scale; null where it is zero. */
export function findPercentBase(bars: readonly VoiBar[], unit: VolumeUnit): VoiBar | null {
  const first = bars.find((bar) => levelOf(bar, unit) !== null);
  return first !== undefined && levelOf(first, unit)?.gt(0) === true ? first : null;
}

function levelOf(bar: VoiBar, unit: VolumeUnit): Decimal | null {
  return unit === 'usd' ? bar.openInterestUsd : bar.openInterest;
}

/** Volume and open interest of one product, or the exchange's total of several. */
export function toTotalPicture(bars: readonly VoiBar[], { unit, period, base = null }: PictureOptions): Picture {
  const volumeOf = (bar: VoiBar): Decimal | null => (unit === 'usd' ? bar.volumeUsd : bar.volume);
  const days = bars.map(({ date }) => toPeriodStart(date, period));
  const [volumeField, levelField] = FIELDS[unit];
  const readout = (
    name: string,
    ink: Readout['ink'],
    field: VoiField,
    of: (bar: VoiBar) => Decimal | null,
  ): Readout => ({
    name,
    unit: UNIT_TEXTS[unit],
    ...(ink && { ink }),
    text: (index) =>
      pick(bars[index], (bar) => bar.whyWithheld(field)) === null ? formatAmount(pick(bars[index], of)) : NOT_AVAILABLE,
  });
  const openInterest: Pane = {
    name: 'Open interest',
    unit: UNIT_TEXTS[unit],
    share: 1,
    format: formatAxis,
    logarithmic: true,
    series: [{ kind: 'line', ink: 'series-2', values: bars.map((bar) => levelOf(bar, unit)?.toNumber() ?? null) }],
  };
  const level = base && levelOf(base, unit);
  return {
    times: days,
    timeName: BAR_DATE_LABELS[period],
    timeText: (index) => describeDay(days[index]),
    panes: [
      {
        name: 'Volume',
        unit: UNIT_TEXTS[unit],
        share: 1,
        format: formatAxis,
        logarithmic: true,
        series: [{ kind: 'columns', ink: 'accent', values: bars.map((bar) => volumeOf(bar)?.toNumber() ?? null) }],
      },
      level === null ? openInterest : inPercent(openInterest, level.toNumber()),
    ],
    readouts: [
      readout('Volume', 'accent', volumeField, volumeOf),
      readout('Open interest', 'series-2', levelField, (bar) => levelOf(bar, unit)),
    ],
  };
}

function pick<T>(bar: VoiBar | undefined, of: (bar: VoiBar) => T): T | null {
  return bar === undefined ? null : of(bar);
}
