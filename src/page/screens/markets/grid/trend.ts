import type { MarketRow } from '#model/markets/market-rows.ts';
import { toSparklinePath } from './sparkline.ts';
import { NO_VALUE } from '#model/format/number.ts';
import type { CellWidget } from '#model/tables/grid-column.ts';
import styles from '../shared/markets-screen.module.css';

const SIZE = { width: 72, height: 18 } as const;
const SVG = 'http://www.w3.org/2000/svg';

/** The cells of the trend. */
export const trendCells = { text: describeTrend, value: toTrendChange, draw: drawTrend };

/** Settlements of the last 30 days as a line; a gap is a day without a settlement. */
function drawTrend(): CellWidget<MarketRow> {
  const element = document.createElement('span');
  const svg = document.createElementNS(SVG, 'svg');
  const path = document.createElementNS(SVG, 'path');
  svg.setAttribute('class', styles['trend'] ?? '');
  svg.setAttribute('viewBox', `-1 -1 ${String(SIZE.width + 2)} ${String(SIZE.height + 2)}`);
  svg.setAttribute('role', 'img');
  svg.append(path);
  const show = (row: MarketRow, text: string): void => {
    element.replaceChildren(toTrendChange(row) === null ? text : svg);
    svg.setAttribute('aria-label', text);
    path.setAttribute('d', toSparklinePath(row.trend, SIZE));
  };
  return { element, show };
}

/** From the first settlement to the last, as a fraction; null where there are fewer than two. */
function toTrendChange({ trend }: MarketRow): number | null {
  const known = trend.filter((value) => value !== null);
  const [first] = known;
  const last = known.at(-1);
  return first === undefined || last === undefined || known.length < 2 ? null : last / first - 1;
}

function describeTrend(row: MarketRow): string {
  const change = toTrendChange(row);
  if (change === null) return NO_VALUE;
  const direction = change > 0 ? 'up' : change < 0 ? 'down' : 'unchanged';
  return `${direction} ${Math.abs(change * 100).toFixed(1)} percent over ${String(row.trend.filter((value) => value !== null).length)} settlements`;
}
