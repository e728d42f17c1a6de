import { formatPercent } from '../../format/number.ts';
import { INTERVALS_PER_YEAR } from '../../funding/funding-rate.ts';
import { signOf } from '../../funding/funding-side.ts';
import { SERIES_INKS, type Level, type Picture, type Series } from '../picture.ts';
import { RATE_FORM_LABELS, type RateFormLabel } from '../../funding/rate-form.ts';
import type { Measure } from '../../tables/funding/compare-params.ts';
import { formatAxis } from '../../tables/funding/format-axis.ts';
import type { RateLines } from './rate-lines.ts';

export const MEASURE_LABELS: Readonly<Record<Measure, RateFormLabel>> = {
  rate: { ...RATE_FORM_LABELS.interval, name: 'Settled rate' },
  sum: { name: 'Cumulative sum', unit: '%', digits: 4 },
  apr: RATE_FORM_LABELS.apr,
};

const STROKES = ['solid', 'dashed', 'dotted'] as const;
/** One basis point in eight hours, in percent. */
const BASELINE_PERCENT = 0.01;

interface LineLook {
  readonly ink: (typeof SERIES_INKS)[number];
  readonly stroke: (typeof STROKES)[number];
}

/** Twenty-four distinct looks: eight inks times three strokes. */
function lookAt(index: number): LineLook {
  return {
    ink: SERIES_INKS[index % SERIES_INKS.length] ?? 'series-1',
    stroke: STROKES[Math.floor(index / SERIES_INKS.length) % STROKES.length] ?? 'solid',
  };
}

/** All lines in one pane, with zero and the interest rate always in view. */
export function toRatesPicture(
  rates: RateLines,
  hidden: readonly string[],
  timeText: (epochMillis: number) => string,
): Picture {
  const { ends, times, measure, lines } = rates;
  const { name, unit, digits } = MEASURE_LABELS[measure];
  const series = lines.map(({ symbol, values }, index): Series => ({
    kind: 'line',
    ...lookAt(index),
    steps: measure !== 'sum',
    hidden: hidden.includes(symbol),
    values,
  }));
  return {
    times,
    timeName: 'Funding time',
    timeText: (index) => timeText(ends[index] ?? 0),
    panes: [
      {
        name,
        unit,
        share: 1,
        format: (value) => formatAxis(value, digits),
        series: [...series, ...toBaseline(rates)],
        levels: toLevels(rates),
        hatched: findGaps(rates, hidden),
      },
    ],
    readouts: lines.map(({ symbol, read }, index) => ({
      name: symbol,
      unit: '',
      ...lookAt(index),
      text: (at) => formatPercent(read(at), { digits, signed: true }),
    })),
  };
}

/** Where a visible line lacks an expected settled rate. A line without any rate in the window is not drawn at all. */
function findGaps({ lines, ends }: RateLines, hidden: readonly string[]): readonly number[] {
  const gaps = new Set<number>();
  for (const { symbol, values, expectedFrom, expectedTo } of lines) {
    if (hidden.includes(symbol) || values.every((value) => value === null)) continue;
    for (const [at, end] of ends.entries())
      if (values[at] === null && end > expectedFrom && end <= expectedTo) gaps.add(at);
  }
  return [...gaps];
}

/** In a cumulative sum the interest rate is a slope, not a level. */
function toBaseline(rates: RateLines): readonly Series[] {
  if (rates.measure !== 'sum') return [];
  const step = BASELINE_PERCENT * signOf(rates.side);
  return [{ kind: 'line', ink: 'faint', stroke: 'dotted', values: rates.ends.map((_, index) => (index + 1) * step) }];
}

function toLevels(rates: RateLines): readonly Level[] {
  const zero: Level = { name: 'zero', value: 0, ink: 'muted' };
  if (rates.measure === 'sum') return [zero];
  const value = BASELINE_PERCENT * signOf(rates.side) * (rates.measure === 'apr' ? INTERVALS_PER_YEAR : 1);
  return [zero, { name: 'interest rate 0.01 % per 8 h', value, ink: 'faint' }];
}
