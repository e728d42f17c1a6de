import { drawBareChart, type PriceRow, type VoiRow } from './draw-bare-chart.ts';
import { countRectangles, register, untilPainted } from './stage.ts';

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
  drawBareChart(host, prices, voi);
}

register({
  prepare: async () => {
    [prices, voi] = await Promise.all([
      read<readonly PriceRow[]>('/api/web/charts/price/1'),
      read<readonly VoiRow[]>('/api/web/charts/voi'),
    ]);
  },
  show: () => untilPainted(draw, () => rectangles() > prices.length),
});
