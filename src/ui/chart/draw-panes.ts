import { CandlestickSeries, HistogramSeries, LineSeries, LineStyle, type IChartApi, type ISeriesApi } from 'lightweight-charts';
import type { Pane, Picture, Series } from './picture.ts';
import type { Paints } from './read-inks.ts';
import { toCandles, toColumns, toLine } from './series-data.ts';

type DrawnSeries = ISeriesApi<'Candlestick'> | ISeriesApi<'Line'> | ISeriesApi<'Histogram'>;

export interface Drawn {
  readonly series: readonly DrawnSeries[];
  /** The same picture with other figures or colours keeps its series; another one is drawn anew. */
  readonly shape: string;
}

/** Which series of which kind stand in which pane. */
function shapeOf({ panes }: Picture): string {
  return panes.map(({ name, series }) => `${name}:${series.map(({ kind }) => kind).join()}`).join('|');
}

export function drawPanes(chart: IChartApi, picture: Picture, paints: Paints, before: Drawn | null): Drawn {
  const shape = shapeOf(picture);
  const drawn = before?.shape === shape ? before : { shape, series: drawAnew(chart, picture, before) };
  const flat = picture.panes.flatMap((pane) => pane.series.map((series) => ({ pane, series })));
  flat.forEach(({ pane, series }, index) => {
    const target = drawn.series[index];
    if (target !== undefined) fill(target, series, { pane, picture, paints });
  });
  return drawn;
}

function drawAnew(chart: IChartApi, { panes }: Picture, before: Drawn | null): readonly DrawnSeries[] {
  for (const old of before?.series ?? []) chart.removeSeries(old);
  const series = panes.flatMap((pane, index) => pane.series.map((one) => addSeries(chart, one, index)));
  panes.forEach(({ share }, index) => {
    chart.panes()[index]?.setStretchFactor(share);
  });
  return series;
}

function addSeries(chart: IChartApi, { kind }: Series, pane: number): DrawnSeries {
  switch (kind) {
    case 'candles':
      return chart.addSeries(CandlestickSeries, {}, pane);
    case 'line':
      return chart.addSeries(LineSeries, {}, pane);
    case 'columns':
      return chart.addSeries(HistogramSeries, {}, pane);
  }
}

interface Filling {
  readonly pane: Pane;
  readonly picture: Picture;
  readonly paints: Paints;
}

function fill(target: DrawnSeries, series: Series, { pane, picture: { times }, paints }: Filling): void {
  const { inks } = paints;
  const priceFormat = { type: 'custom', formatter: pane.format, minMove: 1e-10 } as const;
  const common = { priceFormat, lastValueVisible: true, priceLineVisible: false };
  switch (series.kind) {
    case 'candles':
      // Its label would have the colour of a hollow body, which is none; the line over it has one.
      target.applyOptions({ ...common, ...candleInks(paints), lastValueVisible: false });
      (target as ISeriesApi<'Candlestick'>).setData(toCandles(series, times, paints));
      break;
    case 'line':
      target.applyOptions({
        ...common,
        color: inks[series.ink],
        lineWidth: 1,
        lineStyle: series.dashed === true ? LineStyle.Dashed : LineStyle.Solid,
        crosshairMarkerRadius: 3,
      });
      (target as ISeriesApi<'Line'>).setData(toLine(series, times));
      break;
    case 'columns':
      target.applyOptions({ ...common, color: inks[series.ink], lastValueVisible: false });
      (target as ISeriesApi<'Histogram'>).setData(toColumns(series, times, paints));
  }
}

/** Hollow when it rose, filled when it fell: colour says it once more. */
function candleInks({ inks }: Paints) {
  return {
    upColor: 'rgba(0, 0, 0, 0)',
    downColor: inks.down,
    borderUpColor: inks.up,
    borderDownColor: inks.down,
    wickUpColor: inks.up,
    wickDownColor: inks.down,
  };
}
