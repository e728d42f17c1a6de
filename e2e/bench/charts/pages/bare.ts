/** The least that a chart of the same figures can cost: lightweight-charts alone, in as many panes. */
import { CandlestickSeries, createChart, HistogramSeries, LineSeries, type Time } from 'lightweight-charts';
import { countRectangles, offer, untilPainted } from './stage.ts';

interface PriceRow {
  readonly date: string;
  readonly ohlc: { readonly open: string; readonly high: string; readonly low: string; readonly close: string; readonly volume: number };
  readonly settlementPrice: string;
}

interface VoiRow {
  readonly date: string;
  readonly openInterest: number | null;
}

const query = new URLSearchParams(location.search);
const rectangles = countRectangles();
let prices: readonly PriceRow[] = [];
let voi: readonly VoiRow[] = [];

async function read<T>(target: string): Promise<T> {
  return (await (await fetch(target)).json()) as T;
}

function draw(): void {
  const host = document.createElement('div');
  host.id = 'chart';
  Object.assign(host.style, { width: `${query.get('width') ?? ''}px`, height: `${query.get('height') ?? ''}px` });
  document.body.append(host);
  const chart = createChart(host, { autoSize: true, layout: { attributionLogo: false }, timeScale: { minBarSpacing: 0.05 } });
  const candles = chart.addSeries(CandlestickSeries, {}, 0);
  const settlement = chart.addSeries(LineSeries, { lineWidth: 1 }, 0);
  const volume = chart.addSeries(HistogramSeries, {}, 1);
  const openInterest = chart.addSeries(LineSeries, { lineWidth: 1 }, 2);
  candles.setData(prices.map(({ date, ohlc: { open, high, low, close } }) => ({ time: date, open: Number(open), high: Number(high), low: Number(low), close: Number(close) })));
  settlement.setData(prices.map(({ date, settlementPrice }) => ({ time: date, value: Number(settlementPrice) })));
  volume.setData(prices.map(({ date, ohlc }) => ({ time: date, value: ohlc.volume })));
  openInterest.setData(voi.map(({ date, openInterest: value }) => (value === null ? { time: date as Time } : { time: date as Time, value })));
  [6, 2, 2].forEach((share, index) => chart.panes()[index]?.setStretchFactor(share));
  chart.timeScale().setVisibleLogicalRange({ from: -0.5, to: prices.length - 0.5 });
}

offer({
  prepare: async () => {
    [prices, voi] = await Promise.all([read<readonly PriceRow[]>('/api/web/charts/price/1'), read<readonly VoiRow[]>('/api/web/charts/voi')]);
  },
  show: () => untilPainted(draw, () => rectangles() > prices.length),
});
