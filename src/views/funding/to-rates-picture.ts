import { formatPercent } from '#domain/format-number.ts';
import { INTERVALS_PER_YEAR } from '#domain/funding-rate.ts';
import { signOf } from '#domain/funding/my-side.ts';
import { SERIES_INKS, type Level, type Picture, type Series } from '#ui/chart/picture.ts';
import type { Measure } from './compare-params.ts';
import { formatAxis } from './format-axis.ts';
import type { RateLines } from './rate-lines.ts';

interface MeasureLook {
  readonly name: string;
  readonly unit: string;
  readonly digits: number;
}

export const MEASURE_LOOKS: Readonly<Record<Measure, MeasureLook>> = {
  rate: { name: 'Settled rate', unit: '% per 8 h', digits: 4 },
  sum: { name: 'Cumulative sum', unit: '%', digits: 4 },
  apr: { name: 'APR, simple', unit: '% APR, simple', digits: 2 },
};

const STROKES = ['solid', 'dashed', 'dotted'] as const;
/** One basis point in eight hours, in percent. */
const BASELINE_PERCENT = 0.01;

interface LineLook {
  readonly ink: (typeof SERIES_INKS)[number];
  readonly stroke: (typeof STROKES)[number];
}

/** Twenty-four that can be told apart: eight inks, by three strokes. */
function lookAt(index: number): LineLook {
  return { ink: SERIES_INKS[index % SERIES_INKS.length] ?? 'series-1', stroke: STROKES[Math.floor(index / SERIES_INKS.length) % STROKES.length] ?? 'solid' };
}

/** Lines over each other, with zero and the baseline always in sight. */
export function toRatesPicture(rates: RateLines, hidden: readonly string[], timeText: (epochMillis: number) => string): Picture {
  const { ends, times, measure, lines } = rates;
  const { name, unit, digits } = MEASURE_LOOKS[measure];
  const series = lines.map(
    ({ symbol, values }, index): Series => ({ kind: 'line', ...lookAt(index), steps: measure !== 'sum', hidden: hidden.includes(symbol), values }),
  );
  return {
    times,
    timeName: 'Interval end',
    timeText: (index) => timeText(ends[index] ?? 0),
    panes: [{ name, unit, share: 1, format: (value) => formatAxis(value, digits), series: [...series, ...toBaseline(rates)], levels: toLevels(rates), hatched: findHoles(rates, hidden) }],
    readouts: lines.map(({ symbol, read }, index) => ({
      name: symbol,
      unit: '',
      ...lookAt(index),
      text: (at) => formatPercent(read(at), { digits, signed: true }),
    })),
  };
}

/** Where a line that is seen should have a print and has none; one without any print in the window is not drawn at all. */
function findHoles({ lines, ends }: RateLines, hidden: readonly string[]): readonly number[] {
  const holes = new Set<number>();
  for (const { symbol, values, expectedFrom, expectedTo } of lines) {
    if (hidden.includes(symbol) || values.every((value) => value === null)) continue;
    for (const [at, end] of ends.entries()) if (values[at] === null && end > expectedFrom && end <= expectedTo) holes.add(at);
  }
  return [...holes];
}

/** Added up, the baseline is no level but a slope. */
function toBaseline(rates: RateLines): readonly Series[] {
  if (rates.measure !== 'sum') return [];
  const step = BASELINE_PERCENT * signOf(rates.side);
  return [{ kind: 'line', ink: 'faint', stroke: 'dotted', values: rates.ends.map((_, index) => (index + 1) * step) }];
}

function toLevels(rates: RateLines): readonly Level[] {
  const zero: Level = { name: 'zero', value: 0, ink: 'muted' };
  if (rates.measure === 'sum') return [zero];
  const value = BASELINE_PERCENT * signOf(rates.side) * (rates.measure === 'apr' ? INTERVALS_PER_YEAR : 1);
  return [zero, { name: 'baseline 0.01 %', value, ink: 'faint' }];
}
