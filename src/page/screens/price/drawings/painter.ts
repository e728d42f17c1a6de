import { type Drawing, formatTicks, toUsd } from '#model/charts/drawings/drawing.ts';
import { describeMeasured, measure } from '#model/charts/drawings/measure.ts';
import type { DatedBars } from '#model/charts/drawings/move-drawing.ts';
import { barOf, type Bars, type PlacedDrawing } from '#model/charts/drawings/place-drawings.ts';
import type { PriceData } from '#model/charts/price/price-data.ts';
import type { SettledBar } from '#model/price/bars.ts';
import type { NamedProduct } from '#model/products/product-directory.ts';
import type { PaintedDrawing } from './draw-layer.ts';

/** Converts between ticks and the units of the price axis. */
interface Scale {
  readonly toLevel: (ticks: number) => number;
  readonly toTicks: (level: number) => number;
}

function toScale(base: SettledBar | null, tickSize: number): Scale {
  const settlement = base === null ? null : Number(base.settlement);
  return {
    toLevel: (ticks) => {
      const usd = toUsd(ticks, tickSize).toNumber();
      return settlement === null ? usd : (usd / settlement - 1) * 100;
    },
    toTicks: (level) => Math.round((settlement === null ? level : settlement * (1 + level / 100)) / tickSize),
  };
}

export function toBars({ slots, period }: PriceData, { product }: NamedProduct): DatedBars {
  return {
    keys: slots.map(({ key }) => key),
    dates: slots.map(({ key, bar, running }) => bar?.date ?? running?.date ?? key),
    period,
    everyDay: product?.type === 'perpetual',
  };
}

/** Returns the figures of a measure in two lines: of price and of time. */
export type DescribeMeasure = (points: Drawing['points']) => readonly string[];

interface PainterInputs {
  readonly data: PriceData;
  /** The base of a percent scale. */
  readonly base: SettledBar | null;
  readonly tickSize: number;
  readonly bars: Bars;
}

export function createPainter({ data, base, tickSize, bars }: PainterInputs): Painter {
  return { ...toScale(base, tickSize), tickSize, describe: createDescribe(data, bars, tickSize) };
}

function createDescribe({ daily }: PriceData, bars: Bars, tickSize: number): DescribeMeasure {
  const sessions = daily.map(({ date }) => date);
  return ([from, to]) =>
    from === undefined || to === undefined
      ? []
      : describeMeasured(
          measure([from, to], { tickSize, sessions }),
          tickSize,
          barOf(to.date, bars) - barOf(from.date, bars),
        );
}

export interface Painter extends Scale {
  readonly tickSize: number;
  readonly describe: DescribeMeasure;
}

export function toPainted({ drawing, bars }: PlacedDrawing, { toLevel, tickSize, describe }: Painter): PaintedDrawing {
  const { id, kind, points, text } = drawing;
  const last = formatTicks(points.at(-1)?.ticks ?? 0, tickSize);
  const labels = { level: [], trend: [last], note: text === '' ? [] : wrap(text), measure: describe(points) };
  return {
    id,
    kind,
    bars,
    levels: points.map(({ ticks }) => toLevel(ticks)),
    label: labels[kind],
    price: kind === 'level' ? last : '',
  };
}

const LINE_LENGTH = 32;
const MOST_LINES = 3;

/** Breaks a note into lines that fit beside its bar. The list has all of its words. */
function wrap(text: string): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(/\s+/)) {
    const line = lines.at(-1);
    if (line !== undefined && line.length + word.length < LINE_LENGTH) lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(word.length > LINE_LENGTH ? `${word.slice(0, LINE_LENGTH)}…` : word);
  }
  return lines.length > MOST_LINES ? lines.slice(0, MOST_LINES).with(-1, `${lines[MOST_LINES - 1] ?? ''} …`) : lines;
}
