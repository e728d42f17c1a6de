import type { CandlestickData, HistogramData, LineData, Time, WhitespaceData } from 'lightweight-charts';
import type { ChartTime, Series } from '#model/charts/picture.ts';
import type { Paints } from './read-inks.ts';

export const CLEAR = 'rgba(0, 0, 0, 0)';

type Of<Kind extends Series['kind']> = Extract<Series, { kind: Kind }>;

export function toCandles(
  { values }: Of<'candles'>,
  times: readonly ChartTime[],
  { inks }: Paints,
): (CandlestickData | WhitespaceData)[] {
  return times.map((at, index) => {
    const candle = values[index] ?? null;
    const time = at as Time;
    if (candle === null) return { time };
    const { flat = false, unfinished = false, open, high, low, close } = candle;
    const grey = flat && { color: inks.faint, borderColor: inks.faint, wickColor: inks.faint };
    const outline = unfinished && {
      ...(close >= open && { color: CLEAR }),
      borderColor: inks.accent,
      wickColor: inks.accent,
    };
    return { time, open, high, low, close, ...grey, ...outline };
  });
}

/** The library connects a line across gaps, so the segment before a gap is transparent. */
export function toLine({ values, spanned }: Of<'line'>, times: readonly ChartTime[]): (LineData | WhitespaceData)[] {
  const last = values.findLastIndex((value) => value !== null);
  return times.map((at, index) => {
    const time = at as Time;
    const value = values[index] ?? null;
    if (value === null) return { time };
    const broken = index < last && (values[nextOf(index, spanned)] ?? null) === null;
    return broken ? { time, value, color: CLEAR } : { time, value };
  });
}

function nextOf(index: number, spanned: ReadonlySet<number> | undefined): number {
  const next = index + 1;
  return spanned?.has(next) === true ? nextOf(next, spanned) : next;
}

export function toColumns(
  { values, inks: own }: Of<'columns'>,
  times: readonly ChartTime[],
  { inks }: Paints,
): (HistogramData | WhitespaceData)[] {
  return times.map((at, index) => {
    const time = at as Time;
    const value = values[index] ?? null;
    if (value === null) return { time };
    const ink = own?.[index];
    return ink === undefined ? { time, value } : { time, value, color: inks[ink] };
  });
}
