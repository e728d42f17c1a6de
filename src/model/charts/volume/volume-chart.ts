import { BAR_DATE_LABELS, type Period, toPeriodStart } from '../../time/date-range.ts';
import { type Decimal, sumOf, toDecimal } from '../../units/decimal.ts';
import type { VoiBar } from '../../voi/voi-bars.ts';
import {
  type ChartData,
  inPercent,
  type Pane,
  type Readout,
  type Series,
  SERIES_INKS,
  tagNewest,
} from '../chart-data.ts';
import type { VoiField } from '../../voi/voi-rows.ts';
import { formatCompact, formatNumber } from '../../format/number.ts';
import { formatDay } from '../../format/format-time.ts';
import type { Day } from '#contract/exchange/instant.ts';
import type { NamedProduct } from '../../products/product-directory.ts';
import type { StackedDay } from '../../voi/stacked-days.ts';

export type VolumeUnit = 'contracts' | 'usd';

/** The fields that hold the figures of each unit. */
export const FIELDS: Readonly<Record<VolumeUnit, readonly [volume: VoiField, openInterest: VoiField]>> = {
  contracts: ['volume', 'openInterest'],
  usd: ['notionalVolume', 'notionalOpenInterest'],
};

export const UNIT_TEXTS: Readonly<Record<VolumeUnit, string>> = { contracts: 'contracts', usd: 'USD' };

function formatAmount(value: Decimal | null): string {
  return formatNumber(value, { digits: 0 });
}

/** Shown for a withheld figure; its provenance gives the reason. */
const NOT_AVAILABLE = 'n/a';

/** Leaves out labels below zero: the axis extends there, but they would be wrong. */
function formatAxis(value: number): string {
  return value < 0 ? '' : formatCompact(toDecimal(String(Math.round(value * 100) / 100)));
}

function describeDay(day: Day | undefined): string {
  return day === undefined ? '' : formatDay(day);
}

interface ChartDataOptions {
  readonly unit: VolumeUnit;
  readonly period: Period;
  /** The bar from whose open interest percent changes are shown. */
  readonly base?: VoiBar | null;
}

/** Finds the first bar with open interest, as the base of a percent scale; null if it is zero. */
export function findPercentBase(bars: readonly VoiBar[], unit: VolumeUnit): VoiBar | null {
  const first = bars.find((bar) => levelOf(bar, unit) !== null);
  return first !== undefined && levelOf(first, unit)?.gt(0) === true ? first : null;
}

function levelOf(bar: VoiBar, unit: VolumeUnit): Decimal | null {
  return unit === 'usd' ? bar.openInterestUsd : bar.openInterest;
}

/** Draws volume and open interest of one product, or the exchange’s total of several. */
export function toTotalChartData(bars: readonly VoiBar[], { unit, period, base = null }: ChartDataOptions): ChartData {
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
  const levels = bars.map((bar) => levelOf(bar, unit)?.toNumber() ?? null);
  const openInterest: Pane = {
    name: 'Open interest',
    unit: UNIT_TEXTS[unit],
    share: 1,
    format: formatAxis,
    logarithmic: true,
    series: [{ kind: 'line', ink: 'series-2', values: levels }],
    tags: tagNewest('OI', 'series-2', levels),
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
        series: [
          { kind: 'columns', ink: 'accent', quiet: true, values: bars.map((bar) => volumeOf(bar)?.toNumber() ?? null) },
        ],
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

/** A layer of the stack: one product, or all products without a colour of their own. */
interface Part {
  readonly name: string;
  /** Indices of products. */
  readonly members: readonly number[];
}

interface Figure {
  readonly name: string;
  /** Shown beside the name of a layer. */
  readonly short: string;
  readonly days: readonly StackedDay[];
}

/** Volume and open interest of several products, on the same days. */
export interface Stack {
  readonly volume: readonly StackedDay[];
  readonly openInterest: readonly StackedDay[];
}

/** Stacks several products in the same order and colours in both panes. */
export function toStackedChartData(
  { volume, openInterest }: Stack,
  products: readonly NamedProduct[],
  unit: VolumeUnit,
): ChartData {
  const times = volume.map(({ date }) => date);
  const parts = toParts(products, { volume, openInterest });
  const figures: readonly Figure[] = [
    { name: 'Volume', short: 'Volume', days: volume },
    { name: 'Open interest', short: 'OI', days: openInterest },
  ];
  return {
    times,
    timeName: 'Session',
    timeText: (index) => describeDay(times[index]),
    panes: figures.map(({ name, days }) => ({
      name,
      unit: UNIT_TEXTS[unit],
      share: 1,
      format: formatAxis,
      series: toColumns(parts, days),
    })),
    readouts: figures.flatMap((figure) => toReadouts(parts, figure, UNIT_TEXTS[unit])),
  };
}

/**
 * Gives the largest products a colour each; the others share the last one. Products rank by newest open interest, then
 * by newest volume, and only then by total volume: otherwise products that expired long ago would take the colours of
 * those that trade.
 */
function toParts(products: readonly NamedProduct[], { volume, openInterest }: Stack): readonly Part[] {
  const totals = products.map((_, index) => sumOf(volume.map(({ values }) => values[index] ?? null)));
  const sizes = [findNewest(openInterest), findNewest(volume), totals];
  const isAfter = (a: number, b: number): number =>
    sizes.map((size) => compare(size[b], size[a])).find((order) => order !== 0) ?? 0;
  const ranked = products.map((_, index) => index).sort(isAfter);
  const named = products.length <= SERIES_INKS.length ? ranked : ranked.slice(0, SERIES_INKS.length - 1);
  const others = ranked.slice(named.length);
  const parts = named.map((index) => ({ name: products[index]?.name ?? '', members: [index] }));
  return others.length === 0 ? parts : [...parts, { name: `${others.length} others`, members: others }];
}

/** Returns the values of the newest day that has any. */
function findNewest(days: readonly StackedDay[]): StackedDay['values'] {
  return days.findLast(({ values }) => values.some((value) => value !== null))?.values ?? [];
}

function compare(a: Decimal | null = null, b: Decimal | null = null): number {
  return (a ?? ZERO).comparedTo(b ?? ZERO);
}

const ZERO = toDecimal('0');

function valueOf({ members }: Part, day: StackedDay | undefined): Decimal | null {
  return sumOf(members.map((index) => day?.values[index] ?? null));
}

/**
 * Draws each layer from zero up to its top, the highest first, so that lower ones cover it. A day that lacks one
 * product is a gap, because the layers above it would be drawn too low. A product whose values are all withheld is not
 * in the stack.
 */
function toColumns(parts: readonly Part[], days: readonly StackedDay[]): readonly Series[] {
  return parts
    .map((part, at): Series => {
      const below = parts.slice(0, at + 1);
      const values = days.map((day) =>
        day.missing.length > 0 || valueOf(part, day) === null
          ? null
          : (sumOf(below.map((one) => valueOf(one, day)))?.toNumber() ?? null),
      );
      return { kind: 'columns', ink: SERIES_INKS[at] ?? 'series-8', values };
    })
    .reverse();
}

function toReadouts(parts: readonly Part[], { name, short, days }: Figure, unit: string): readonly Readout[] {
  const readouts = parts.map((part, at): Readout => ({
    name: `${name} ${part.name}`,
    entry: { name: part.name, figure: short },
    unit: '',
    ink: SERIES_INKS[at] ?? 'series-8',
    text: (index) => describePart(part, days[index]),
  }));
  return [
    ...readouts,
    {
      name: `${name}, total`,
      entry: { name: 'Total', figure: short },
      unit,
      text: (index) => describeTotal(days[index]),
    },
  ];
}

function describeTotal(day: StackedDay | undefined): string {
  return day !== undefined && day.missing.length + day.withheld.length > 0
    ? NOT_AVAILABLE
    : formatAmount(day?.total ?? null);
}

/** Shows `n/a` for a layer of several products, which is a sum, if a value of one of them is missing. */
function describePart({ name, members }: Part, day: StackedDay | undefined): string {
  const isWithheld = members.some((index) => day?.withheld.includes(index));
  const isIncomplete = members.length > 1 && members.some((index) => day?.missing.includes(index));
  return isWithheld || isIncomplete ? NOT_AVAILABLE : formatAmount(valueOf({ name, members }, day));
}
