import type { VOIDataPoint } from '#contract/voi.ts';
import { sumOf, toDecimal, type Decimal } from '#domain/decimal.ts';
import type { NamedProduct } from '#domain/find-product.ts';
import { toStackedDays, type StackedDay } from '#domain/stacked-days.ts';
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
  readonly days: ReadonlyMap<string, StackedDay>;
}

/** Several products upon each other, the same order and colours in both panes. */
export function toStackedPicture(rows: readonly VOIDataPoint[], products: readonly NamedProduct[], unit: VolumeUnit): Picture {
  const ids = products.map(({ id }) => Number(String(id)));
  const read = (name: string, figure: Parameters<typeof toStackedDays>[2]): Figure => ({
    name,
    days: new Map(toStackedDays(rows, ids, figure).map((day) => [day.date, day])),
  });
  const volume = read('Volume', unit === 'usd' ? 'notionalVolume' : 'volume');
  const openInterest = read('Open interest', unit === 'usd' ? 'notionalOpenInterest' : 'openInterest');
  const times = [...new Set(rows.map(({ date }) => date))].sort();
  const parts = toParts(products, volume);
  return {
    times,
    timeName: 'Session',
    timeText: (index) => describeDay(times[index]),
    panes: [volume, openInterest].map((figure) => ({
      name: figure.name,
      unit: UNIT_TEXTS[unit],
      share: 1,
      format: formatAxis,
      series: toStack(parts, times, figure),
    })),
    readouts: [volume, openInterest].flatMap((figure) => toReadouts(parts, times, figure, UNIT_TEXTS[unit])),
  };
}

/** The largest by all that they traded get a colour each, the others share the last. */
function toParts(products: readonly NamedProduct[], volume: Figure): readonly Part[] {
  const totals = products.map((_, index) => sumOf([...volume.days.values()].map(({ values }) => values[index] ?? null)) ?? toDecimal('0'));
  const ranked = products.map((_, index) => index).sort((a, b) => compare(totals[b], totals[a]));
  const named = products.length <= SERIES_INKS.length ? ranked : ranked.slice(0, SERIES_INKS.length - 1);
  const others = ranked.slice(named.length);
  const parts = named.map((index) => ({ name: products[index]?.name ?? '', members: [index] }));
  return others.length === 0 ? parts : [...parts, { name: `${others.length} others`, members: others }];
}

function compare(a: Decimal | undefined, b: Decimal | undefined): number {
  return a === undefined || b === undefined ? 0 : a.comparedTo(b);
}

function valueOf({ members }: Part, day: StackedDay | undefined): Decimal | null {
  return sumOf(members.map((index) => day?.values[index] ?? null));
}

/** Each part is drawn from the bottom up to the top of its own, the highest first, so that the lower ones cover it. */
function toStack(parts: readonly Part[], times: readonly string[], { days }: Figure): readonly Series[] {
  return parts
    .map((part, at): Series => {
      const below = parts.slice(0, at + 1);
      const values = times.map((time) => {
        const day = days.get(time);
        return valueOf(part, day) === null ? null : (sumOf(below.map((one) => valueOf(one, day)))?.toNumber() ?? null);
      });
      return { kind: 'columns', ink: SERIES_INKS[at] ?? 'series-8', values };
    })
    .reverse();
}

function toReadouts(parts: readonly Part[], times: readonly string[], { name, days }: Figure, unit: string): readonly Readout[] {
  const dayAt = (index: number): StackedDay | undefined => days.get(times[index] ?? '');
  const own = parts.map((part, at): Readout => ({
    name: `${name} ${part.name}`,
    unit: '',
    ink: SERIES_INKS[at] ?? 'series-8',
    text: (index) => formatAmount(valueOf(part, dayAt(index))),
  }));
  return [{ name: `${name}, total`, unit, text: (index) => formatAmount(dayAt(index)?.total ?? null) }, ...own];
}
