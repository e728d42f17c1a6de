import type { Day } from '#contract/exchange/day.ts';
import { rebase, type RebasedSeries } from '../../price/change.ts';
import type { RunningChange } from '../../price/running-change.ts';
import { weekdayOf } from '../../time/calendar.ts';
import type { Decimal } from '../../units/decimal.ts';
import type { Bar } from '../../price/bars.ts';
import { formatDay } from '../../format/day.ts';
import { formatNumber, NO_VALUE } from '../../format/number.ts';
import type { Pane, Picture, Readout, Series, SeriesInk } from '../picture.ts';
import { formatPrice, priceDigits } from './to-price-picture.ts';

export interface ComparedBars {
  readonly name: string;
  readonly bars: readonly Bar[];
  /** Whether the product trades on every day of the week. */
  readonly everyDay: boolean;
  /** The session that runs now; null: none, or its change is unknown. */
  readonly running: RunningChange | null;
}

export interface Comparison {
  readonly picture: Picture;
  /** The session on which both are 100. */
  readonly base: Day;
}

const INKS: readonly SeriesInk[] = ['series-1', 'series-2'];

/** Rebases settlements to 100 on the first common session; null where there is none. */
export function toComparison(products: readonly ComparedBars[]): Comparison | null {
  const indexed = rebase(products.map(({ bars }) => bars));
  if (indexed === null) return null;
  const byDay = indexed.series.map(
    ({ points }, at) =>
      new Map([
        ...points.map(({ date, value }) => [date, value] as const),
        ...products.slice(at, at + 1).flatMap((product) => toRunningPoint(product, points)),
      ]),
  );
  const days = [...new Set(byDay.flatMap((points) => [...points.keys()]))].sort();
  const series = byDay.map((points, at): Series => ({
    kind: 'line',
    ink: inkAt(at),
    values: days.map((day) => points.get(day)?.toNumber() ?? null),
    spanned: products[at]?.everyDay === true ? NO_DAYS : findWeekends(days),
  }));
  const readouts = products.flatMap((product, at): readonly Readout[] => [
    {
      name: `${product.name} rebased`,
      unit: '',
      ink: inkAt(at),
      text: (index) => formatNumber(byDay[at]?.get(days[index] ?? ('' as Day)) ?? null, { digits: 2 }),
    },
    toSettlementReadout(product, days),
  ]);
  const pane: Pane = {
    name: 'Rebased to 100',
    unit: '',
    share: 1,
    logarithmic: true,
    format: (value: number) => value.toFixed(1),
    series,
  };
  return {
    base: indexed.base,
    picture: {
      times: days,
      timeName: 'Session',
      timeText: (index) => toText(days[index], products),
      panes: [pane],
      readouts,
    },
  };
}

function toSettlementReadout({ name, bars }: ComparedBars, days: readonly Day[]): Readout {
  const digits = priceDigits(bars);
  const byDay = new Map(bars.map((bar) => [bar.date, bar.settlement]));
  return {
    name: `${name} settlement`,
    unit: 'USD',
    text: (index) => {
      const settlement = byDay.get(days[index] ?? ('' as Day));
      return settlement === undefined ? NO_VALUE : formatPrice(settlement, digits);
    },
  };
}

const NO_DAYS: ReadonlySet<number> = new Set();

/** The days on which a dated contract does not trade. On others a missing settlement stays a gap. */
function findWeekends(days: readonly Day[]): ReadonlySet<number> {
  return new Set(days.flatMap((day, index) => (weekdayOf(day) > 5 ? [index] : [])));
}

/** The last price of the running session, by its change from the newest settlement. */
export function toRunningPoint(
  { running }: Pick<ComparedBars, 'running'>,
  points: RebasedSeries['points'],
): readonly (readonly [Day, Decimal])[] {
  const newest = points.at(-1);
  return newest === undefined || running?.since !== newest.date
    ? []
    : [[running.date, newest.value.plus(newest.value.times(running.fraction.value))]];
}

function toText(day: Day | undefined, products: readonly ComparedBars[]): string {
  if (day === undefined) return '';
  return `${formatDay(day)}${products.some(({ running }) => running?.date === day) ? ', in progress' : ''}`;
}

function inkAt(index: number): SeriesInk {
  return INKS[index % INKS.length] ?? 'series-1';
}
