/** A name, and below it the figures of the price screen as the chart library alone draws them. */
import { drawBareChart, type PriceRow, type VoiRow } from '../../charts/pages/draw-bare-chart.ts';

async function read<T>(target: string): Promise<T> {
  return (await (await fetch(target)).json()) as T;
}

const [prices, voi] = await Promise.all([
  read<readonly PriceRow[]>('prices.json'),
  read<readonly VoiRow[]>('voi.json'),
]);
const host = document.createElement('div');
// As large as the screen's own on a phone.
Object.assign(host.style, { width: '388px', height: '510px' });
document.body.append(host);
drawBareChart(host, prices, voi);
