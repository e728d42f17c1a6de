import {
  CandlestickSeries,
  HistogramSeries,
  type IChartApi,
  type ISeriesApi,
  LineSeries,
  LineStyle,
  LineType,
  type Time,
} from 'lightweight-charts';
import type { ChartData, ChartTime, Pane, Series } from '#model/charts/chart-data.ts';
import {
  createLayer,
  createOverlay,
  drawDots,
  drawMarked,
  drawOutliers,
  drawSteps,
  drawTicks,
  drawTitle,
  findLonePoints,
  type Layer,
  type Overlay,
} from './layers.ts';
import { CLEAR, type Paints, toCandles, toColumns, toLine, toQuiet } from './series-data.ts';

/** The invisible series that holds a pane’s levels, and the overlay above it. */
interface Carrier {
  readonly series: ISeriesApi<'Line'>;
  readonly overlay: Overlay;
}

/**
 * Draws the levels of a pane on an invisible series of one point, so that they stay visible when other series are
 * hidden.
 */
function drawLevels(
  { series: carrier, overlay }: Carrier,
  pane: Pane,
  times: readonly ChartTime[],
  paints: Paints,
): void {
  const { levels = [], outlined = [], hatched = [], format } = pane;
  const { inks } = paints;
  const values = [...levels, ...outlined].map(({ value }) => value);
  overlay.show({ hatched, outlined, hatch: inks.faint, outline: inks.accent, background: paints.background });
  const [least, most] = [Math.min(...values), Math.max(...values)];
  carrier.applyOptions({
    color: 'rgba(0, 0, 0, 0)',
    priceFormat: { type: 'custom', formatter: format, minMove: 1e-10 },
    lastValueVisible: false,
    priceLineVisible: false,
    crosshairMarkerVisible: false,
    autoscaleInfoProvider: () => ({ priceRange: { minValue: least, maxValue: most } }),
  });
  // The point is at the last time, because the library autoscales only by series with a point at or after the left
  // edge.
  const last = times.at(-1);
  carrier.setData(last === undefined ? [] : [{ time: last as Time, value: least }]);
  for (const line of carrier.priceLines()) carrier.removePriceLine(line);
  for (const { name, value, ink } of levels) {
    carrier.createPriceLine({
      price: value,
      color: inks[ink],
      lineWidth: 1,
      lineStyle: LineStyle.LargeDashed,
      axisLabelVisible: false,
      title: name,
    });
  }
}

type Extras = Layer<{ readonly series: Series; readonly paints: Paints; readonly title: string }>;
type DrawnSeries = ISeriesApi<'Candlestick'> | ISeriesApi<'Line'> | ISeriesApi<'Histogram'>;

export interface Drawn {
  readonly series: readonly DrawnSeries[];
  /** For each series, the parts that the library does not draw: steps, ticks and isolated values. */
  readonly extras: readonly Extras[];
  /** The carrier of each pane; null for a pane without levels. */
  readonly carriers: readonly (Carrier | null)[];
  /** The data each series was filled with. */
  readonly filled: readonly Filled[];
  /** Series are reused while this stays the same. */
  readonly shape: string;
}

/** Describes the panes and the kinds of their series. */
function shapeOf({ panes }: ChartData): string {
  return panes
    .map(
      ({ name, series, levels = [] }) =>
        `${name}:${series.map(({ kind }) => kind).join()}:${String(levels.length > 0)}`,
    )
    .join('|');
}

export function drawPanes(chart: IChartApi, chartData: ChartData, paints: Paints, before: Drawn | null): Drawn {
  const shape = shapeOf(chartData);
  const drawn = before?.shape === shape ? before : { shape, filled: [], ...createSeries(chart, chartData) };
  const flat = chartData.panes.flatMap((pane) => pane.series.map((series) => ({ pane, series })));
  const filled = flat.map(({ series }): Filled => ({ values: series.values, times: chartData.times, paints }));
  flat.forEach(({ pane, series }, index) => {
    const [target, now] = [drawn.series[index], filled[index]];
    if (target !== undefined && now !== undefined)
      fill(target, series, { pane, chartData, paints, same: isSame(drawn.filled[index], now) });
    drawn.extras[index]?.show({ series, paints, title: series === pane.series.at(-1) ? toTitle(pane) : '' });
  });
  chartData.panes.forEach((pane, index) => {
    const carrier = drawn.carriers[index];
    if (carrier) drawLevels(carrier, pane, chartData.times, paints);
    const first = drawn.series[flat.findIndex((each) => each.pane === pane)];
    if (first !== undefined) drawTags(first, pane, paints);
  });
  return { ...drawn, filled };
}

/**
 * Draws a line across the pane and a label at the axis for each tag. A title beside the label would cover the newest
 * bars.
 */
function drawTags(carrier: DrawnSeries, { tags = [] }: Pane, { inks }: Paints): void {
  for (const line of carrier.priceLines()) carrier.removePriceLine(line);
  for (const { value, ink } of tags)
    carrier.createPriceLine({
      price: value,
      color: inks[ink],
      lineWidth: 1,
      lineStyle: LineStyle.SparseDotted,
      axisLabelVisible: true,
      title: '',
    });
}

type Filled = Pick<Series, 'values'> & Pick<ChartData, 'times'> & Pick<Filling, 'paints'>;

/** Whether the series already holds the data: setting thousands of values again is slow. */
function isSame(before: Filled | undefined, { values, times, paints }: Filled): boolean {
  return before?.values === values && before.times === times && before.paints === paints;
}

function createSeries(chart: IChartApi, { panes }: ChartData): Pick<Drawn, 'series' | 'extras' | 'carriers'> {
  for (const old of chart.panes().flatMap((pane) => pane.getSeries())) chart.removeSeries(old);
  const series = panes.flatMap((pane, index) => pane.series.map((one) => addSeries(chart, one, index)));
  const extras = series.map(addExtras);
  const carriers = panes.map(({ levels = [] }, index) => (levels.length === 0 ? null : addCarrier(chart, index)));
  panes.forEach(({ share, slim }, index) => {
    const pane = chart.panes()[index];
    pane?.setStretchFactor(share);
    pane?.priceScale('right').applyOptions({ tickMarkDensity: slim === true ? SLIM_TICK_DENSITY : TICK_DENSITY });
  });
  return { series, extras, carriers };
}

/** The library’s own spacing of labels at the axis, in heights of their font, and one that has several in a slim pane. */
const TICK_DENSITY = 2.5;
const SLIM_TICK_DENSITY = 1.6;

/** `Funding, % per bar`. */
function toTitle({ name, unit, slim }: Pane): string {
  return slim === true ? `${name}, ${unit}` : '';
}

function addCarrier(chart: IChartApi, pane: number): Carrier {
  const series = chart.addSeries(LineSeries, {}, pane);
  const overlay = createOverlay();
  series.attachPrimitive(overlay.primitive);
  return { series, overlay };
}

function addExtras(series: DrawnSeries): Extras {
  const extras: Extras = createLayer((canvas, attached, { series: shown, paints, title }) => {
    const { inks } = paints;
    if (title !== '') drawTitle(canvas, attached, { text: title, color: paints.text, background: paints.background });
    if (shown.kind === 'candles') {
      drawOutliers(canvas, attached, shown.outliers ?? [], inks.muted);
      drawMarked(canvas, attached, shown.marked ?? [], inks.muted);
      return;
    }
    if ('hidden' in shown && shown.hidden) return;
    const { values, ink } = shown;
    const filled = shown.kind === 'columns';
    if (shown.kind === 'line' && shown.ticks === true) drawTicks(canvas, attached, values, inks[ink]);
    else if (shown.steps === true)
      drawSteps(canvas, attached, {
        values,
        color: inks[ink],
        filled,
        dash: filled ? [] : DASHES[shown.stroke ?? 'solid'],
      });
    else if (!filled) drawDots(canvas, attached, findLonePoints(values), inks[ink]);
  });
  series.attachPrimitive(extras.primitive);
  return extras;
}

/** The library’s own dashes. */
const DASHES = { solid: [], dashed: [2, 2], dotted: [1, 1] } as const;

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
  readonly chartData: ChartData;
  readonly paints: Paints;
  /** Whether the data are unchanged. */
  readonly same: boolean;
}

function fill(target: DrawnSeries, series: Series, { pane, chartData: { times }, paints, same }: Filling): void {
  const { inks } = paints;
  const priceFormat = { type: 'custom', formatter: toNamedFormat(pane), minMove: 1e-10 } as const;
  const common = { priceFormat, lastValueVisible: pane.tags === undefined, priceLineVisible: false };
  switch (series.kind) {
    case 'candles':
      // The label would take the transparent colour of a hollow body.
      target.applyOptions({ ...common, ...candleInks(paints), lastValueVisible: false });
      if (!same) (target as ISeriesApi<'Candlestick'>).setData(toCandles(series, times, paints));
      break;
    case 'line':
      target.applyOptions({
        ...common,
        color: inks[series.ink],
        lineWidth: 1,
        lineStyle: STROKES[series.stroke ?? 'solid'],
        ...connect(series, times.length),
        visible: series.hidden !== true,
        crosshairMarkerRadius: 3,
      });
      if (!same) (target as ISeriesApi<'Line'>).setData(toLine(series, times));
      break;
    case 'columns':
      target.applyOptions({
        ...common,
        color: series.steps === true ? CLEAR : series.quiet === true ? toQuiet(inks[series.ink]) : inks[series.ink],
        lastValueVisible: false,
      });
      if (!same) (target as ISeriesApi<'Histogram'>).setData(toColumns(series, times, paints));
  }
}

/** Says how the library connects the values of a line. It would draw a lone one to both sides. */
function connect({ steps, ticks, held }: Extract<Series, { kind: 'line' }>, count: number) {
  return {
    lineType: held === true ? LineType.WithSteps : LineType.Simple,
    lineVisible: steps !== true && ticks !== true && (held !== true || count > 1),
  };
}

/** Formats values of a pane, with the name of a tag before the tag’s value. */
function toNamedFormat({ tags = [], format }: Pane): Pane['format'] {
  return (value) => [...tags.filter((tag) => tag.value === value).map(({ name }) => name), format(value)].join(' ');
}

const STROKES = { solid: LineStyle.Solid, dashed: LineStyle.Dashed, dotted: LineStyle.Dotted } as const;

/**
 * Returns the colours of candles. Rising ones are hollow and falling ones filled, so direction does not depend on
 * colour.
 */
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
