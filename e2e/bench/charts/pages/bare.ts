import { type BareLine, drawBareChart, type PriceRow, type VoiRow } from './draw-bare-chart.ts';
import { countRectangles, register, untilPainted } from './stage.ts';

const query = new URLSearchParams(location.search);
const rectangles = countRectangles();
let prices: readonly PriceRow[] = [];
let voi: readonly VoiRow[] = [];
let lines: readonly BareLine[] = [];

async function read<T>(target: string): Promise<T> {
  return (await (await fetch(target)).json()) as T;
}

function draw(): void {
  const host = document.createElement('div');
  host.id = 'chart';
  Object.assign(host.style, { width: `${query.get('width') ?? ''}px`, height: `${query.get('height') ?? ''}px` });
  document.body.append(host);
  drawBareChart(host, prices, voi, lines);
}

/** As many lines as the indicators of the screen have, over the price and in two panes. */
function toLines(): readonly BareLine[] {
  const settlements = prices.map(({ settlementPrice }) => Number(settlementPrice));
  const averageOf = (bars: number) =>
    settlements.map((_, index) =>
      index < bars - 1
        ? null
        : settlements.slice(index - bars + 1, index + 1).reduce((sum, each) => sum + each, 0) / bars,
    );
  return [
    { pane: 0, values: averageOf(20) },
    { pane: 0, values: averageOf(50) },
    { pane: 0, values: averageOf(200) },
    { pane: 3, values: averageOf(15) },
    { pane: 4, values: averageOf(15) },
  ];
}

register({
  prepare: async () => {
    [prices, voi] = await Promise.all([
      read<readonly PriceRow[]>('/api/web/charts/price/1'),
      read<readonly VoiRow[]>('/api/web/charts/voi'),
    ]);
    if (query.has('lines')) lines = toLines();
  },
  show: () => untilPainted(draw, () => rectangles() > prices.length),
});
