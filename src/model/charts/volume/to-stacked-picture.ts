import { sumOf, toDecimal, type Decimal } from '../../units/decimal.ts';
import type { NamedProduct } from '../../products/product-directory.ts';
import type { StackedDay } from '../../voi/stacked-days.ts';
import { SERIES_INKS, type Picture, type Readout, type Series } from '../picture.ts';
import { describeDay, formatAmount, formatAxis, NOT_AVAILABLE, UNIT_TEXTS, type VolumeUnit } from './volume-text.ts';

/** A part of the stack: one product, or all those that have no colour of their own. */
interface Part {
  readonly name: string;
  /** Indexes of products. */
  readonly members: readonly number[];
}

interface Figure {
  readonly name: string;
  /** Beside the name of a part. */
  readonly short: string;
  readonly days: readonly StackedDay[];
}

/** Volume and open interest of several products, by the same days. */
export interface Stack {
  readonly volume: readonly StackedDay[];
  readonly openInterest: readonly StackedDay[];
}

/** Several products stacked, in the same order and colours in both panes. */
export function toStackedPicture(
  { volume, openInterest }: Stack,
  products: readonly NamedProduct[],
  unit: VolumeUnit,
): Picture {
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
 * The largest get a colour each, the others share the last. Size is the newest open interest, then the newest volume, and only
 * then the total volume: otherwise products that expired long ago would take the colours of those that trade.
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

/** The values of the newest day that has any. */
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
 * Each part is drawn from zero up to its top, the highest first, so that lower ones cover it. A day without one of the parts
 * is a gap: the parts above the missing one would be drawn too low. A product whose values are all withheld is not in the stack.
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

/** A part of several products is a sum, too. */
function describePart({ name, members }: Part, day: StackedDay | undefined): string {
  const isWithheld = members.some((index) => day?.withheld.includes(index));
  const isIncomplete = members.length > 1 && members.some((index) => day?.missing.includes(index));
  return isWithheld || isIncomplete ? NOT_AVAILABLE : formatAmount(valueOf({ name, members }, day));
}
