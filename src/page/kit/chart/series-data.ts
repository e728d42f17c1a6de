import { type ChartTime, type Ink, INKS, type Series } from '#model/charts/chart-data.ts';
import type { CandlestickData, HistogramData, LineData, Time, WhitespaceData } from 'lightweight-charts';

/** Colours and font for a canvas, which cannot use CSS variables. */
export interface Paints {
  readonly inks: Readonly<Record<Ink, string>>;
  readonly text: string;
  readonly line: string;
  readonly lineStrong: string;
  readonly raised: string;
  readonly background: string;
  readonly fontFamily: string;
}

/**
 * Resolves the page’s colour tokens under the current theme and palette. It reads them from the body, because a stale
 * panel has other colours.
 */
export function readPaints(): Paints {
  const probe = document.createElement('span');
  document.body.append(probe);
  const colorOf = (token: string): string => {
    probe.style.color = `var(--${token})`;
    return getComputedStyle(probe).color;
  };
  const paints: Paints = {
    inks: Object.fromEntries(INKS.map((ink) => [ink, colorOf(ink)])) as Record<Ink, string>,
    text: colorOf('muted'),
    line: colorOf('line'),
    lineStrong: colorOf('line-strong'),
    raised: colorOf('raised'),
    background: colorOf('background'),
    fontFamily: getComputedStyle(probe).fontFamily,
  };
  probe.remove();
  return paints;
}

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

/** Converts a line. The library connects it across gaps, so the segment before a gap is transparent. */
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
  { values, inks: own, quiet = false }: Of<'columns'>,
  times: readonly ChartTime[],
  { inks }: Paints,
): (HistogramData | WhitespaceData)[] {
  const colors = new Map<Ink | undefined, string>(
    [...new Set(own)].map((ink) => [ink, quiet ? toQuiet(inks[ink]) : inks[ink]]),
  );
  return times.map((at, index) => {
    const time = at as Time;
    const value = values[index] ?? null;
    if (value === null) return { time };
    const color = colors.get(own?.[index]);
    return color === undefined ? { time, value } : { time, value, color };
  });
}

/** Returns a colour as the background lets it through. A computed colour is opaque and written as `rgb(…)`. */
export function toQuiet(color: string): string {
  return color.replace('rgb(', 'rgba(').replace(')', ', 0.4)');
}
