import { CandlestickSeries, createChart, HistogramSeries, LineSeries, type Time } from 'lightweight-charts';

export interface PriceRow {
  readonly date: string;
  readonly ohlc: {
    readonly open: string;
    readonly high: string;
    readonly low: string;
    readonly close: string;
    readonly volume: number;
  };
  readonly settlementPrice: string;
}

export interface VoiRow {
  readonly date: string;
  readonly openInterest: number | null;
}

/** A line that is computed before the measurement. Null: no value yet. */
export interface BareLine {
  readonly pane: number;
  readonly values: readonly (number | null)[];
}

/** The lower bound for a chart of these figures: lightweight-charts alone, with as many panes. */
export function drawBareChart(
  host: HTMLElement,
  prices: readonly PriceRow[],
  voi: readonly VoiRow[],
  lines: readonly BareLine[] = [],
): void {
  const chart = createChart(host, {
    autoSize: true,
    layout: { attributionLogo: false },
    timeScale: { minBarSpacing: 0.05 },
  });
  const candles = chart.addSeries(CandlestickSeries, {}, 0);
  const volume = chart.addSeries(HistogramSeries, {}, 1);
  const openInterest = chart.addSeries(LineSeries, { lineWidth: 1 }, 2);
  candles.setData(
    prices.map(({ date, ohlc: { open, high, low, close } }) => ({
      time: date,
      open: Number(open),
      high: Number(high),
      low: Number(low),
      close: Number(close),
    })),
  );
  volume.setData(prices.map(({ date, ohlc }) => ({ time: date, value: ohlc.volume })));
  openInterest.setData(
    voi.map(({ date, openInterest: value }) =>
      value === null ? { time: date as Time } : { time: date as Time, value },
    ),
  );
  for (const { pane, values } of lines)
    chart.addSeries(LineSeries, { lineWidth: 1 }, pane).setData(
      prices.flatMap(({ date }, index) => {
        const value = values[index] ?? null;
        return value === null ? [] : [{ time: date, value }];
      }),
    );
  [6, 2, 2, 1.5, 1.5].forEach((share, index) => chart.panes()[index]?.setStretchFactor(share));
  chart.timeScale().setVisibleLogicalRange({ from: -0.5, to: prices.length - 0.5 });
}
