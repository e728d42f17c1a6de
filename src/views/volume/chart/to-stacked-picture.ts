import { sumOf, toDecimal, type Decimal } from '#domain/decimal.ts';
import type { NamedProduct } from '#domain/find-product.ts';
import type { StackedDay } from '#domain/stacked-days.ts';
import { SERIES_INKS, type Picture, type Readout, type Series } from '#ui/chart/picture.ts';
import { describeDay, formatAmount, formatAxis, UNIT_TEXTS, type VolumeUnit } from './volume-text.ts';

/** A part of the stack: one product, or those that no colour is left for. */
interface Part {
  readonly name: string;
  /** Places among the products. */
  readonly members: readonly number[];
}

interface Figure {
  readonly name: string;
  /** Beside the name of a part. */
  readonly short: string;
  readonly days: readonly StackedDay[];
}

/** Two figures of several products, by the same days. */
export interface Stack {
  readonly volume: readonly StackedDay[];
  readonly openInterest: readonly StackedDay[];
}

/** Several products upon each other, the same order and colours in both panes. */
export function toStackedPicture({ volume, openInterest }: Stack, products: readonly NamedProduct[], unit: VolumeUnit): Picture {
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
    panes: figures.map(({ name, days }) => ({ name, unit: UNIT_TEXTS[unit], share: 1, format: formatAxis, series: toColumns(parts, days) })),
    readouts: figures.flatMap((figure) => toReadouts(parts, figure, UNIT_TEXTS[unit])),
  };
}

/**
 * The largest get a colour each, the others share the last: by what is open at the end, then by what traded last, and only
 * then by all that they traded, or those that ended long ago would have the colours of those that trade.
 */
function toParts(products: readonly NamedProduct[], { volume, openInterest }: Stack): readonly Part[] {
  const totals = products.map((_, index) => sumOf(volume.map(({ values }) => values[index] ?? null)));
  const sizes = [findNewest(openInterest), findNewest(volume), totals];
  const isAfter = (a: number, b: number): number => sizes.map((size) => compare(size[b], size[a])).find((order) => order !== 0) ?? 0;
  const ranked = products.map((_, index) => index).sort(isAfter);
  const named = products.length <= SERIES_INKS.length ? ranked : ranked.slice(0, SERIES_INKS.length - 1);
  const others = ranked.slice(named.length);
  const parts = named.map((index) => ({ name: products[index]?.name ?? '', members: [index] }));
  return others.length === 0 ? parts : [...parts, { name: `${others.length} others`, members: others }];
}

/** Of the newest day that there is a figure of. */
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
 * Each part is drawn from the bottom up to the top of its own, the highest first, so that the lower ones cover it. A day
 * without one of its parts is a gap: what would be upon that one would stand too low.
 */
function toColumns(parts: readonly Part[], days: readonly StackedDay[]): readonly Series[] {
  return parts
    .map((part, at): Series => {
      const below = parts.slice(0, at + 1);
      const values = days.map((day) => (day.missing.length > 0 || valueOf(part, day) === null ? null : (sumOf(below.map((one) => valueOf(one, day)))?.toNumber() ?? null)));
      return { kind: 'columns', ink: SERIES_INKS[at] ?? 'series-8', values };
    })
    .reverse();
}

function toReadouts(parts: readonly Part[], { name, short, days }: Figure, unit: string): readonly Readout[] {
  const own = parts.map((part, at): Readout => ({
    name: `${name} ${part.name}`,
    entry: { name: part.name, figure: short },
    unit: '',
    ink: SERIES_INKS[at] ?? 'series-8',
    text: (index) => describePart(part, days[index]),
  }));
  return [{ name: `${name}, total`, entry: { name: 'Total', figure: short }, unit, text: (index) => describeTotal(days[index]) }, ...own];
}

const WITHHELD = 'withheld';

function describeTotal(day: StackedDay | undefined): string {
  return day !== undefined && day.missing.length > 0 ? WITHHELD : formatAmount(day?.total ?? null);
}

/** Several in one part are a sum as well. */
function describePart(part: Part, day: StackedDay | undefined): string {
  const isCut = part.members.length > 1 && part.members.some((place) => day?.missing.includes(place));
  return isCut ? WITHHELD : formatAmount(valueOf(part, day));
}
