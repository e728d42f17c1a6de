import type { MarketRow } from '#model/markets/market-rows.ts';
import { NO_VALUE } from '#model/format/number.ts';
import type { CellWidget } from '#model/tables/grid.ts';
import styles from '../shared/markets-screen.module.css';

interface SparklineSize {
  readonly width: number;
  readonly height: number;
}

/**
 * Returns a line through values as the `d` of an SVG path. Nulls are gaps, and a value between two gaps is a dot. Small
 * moves do not fill the height, so that they do not look like large ones.
 *
 * @internal Exported for its test.
 */
export function toSparklinePath(values: readonly (number | null)[], { width, height }: SparklineSize): string {
  const known = values.filter((value) => value !== null);
  if (known.length === 0) return '';
  const [least, most] = widen(Math.min(...known), Math.max(...known));
  const x = (index: number): string => round(values.length === 1 ? width / 2 : (index / (values.length - 1)) * width);
  const y = (value: number): string =>
    round(most === least ? height / 2 : height - ((value - least) / (most - least)) * height);
  const step = (value: number | null, index: number): string => {
    if (value === null) return '';
    const starts = (values[index - 1] ?? null) === null;
    const alone = starts && (values[index + 1] ?? null) === null;
    return `${starts ? 'M' : 'L'}${x(index)} ${y(value)}${alone ? 'h0' : ''}`;
  };
  return values.map(step).join('');
}

/** A line fills the height if its values differ by this share of their mean, or by more. */
const FULL_RANGE = 0.1;

function widen(least: number, most: number): readonly [number, number] {
  const missing = Math.max(0, (FULL_RANGE * (least + most)) / 2 - (most - least));
  return [least - missing / 2, most + missing / 2];
}

function round(value: number): string {
  return String(Math.round(value * 10) / 10);
}

const SIZE = { width: 34, height: 18 } as const;
const SVG = 'http://www.w3.org/2000/svg';

/** The cells of the trend. */
export const trendCells = { text: describeTrend, value: toTrendChange, draw: drawTrend };

/** Draws the settlements of the last 30 days as a line, with gaps for days without one. */
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

/** Returns the change from the first settlement to the last, as a fraction; null if there are fewer than two. */
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
  return (
    `${direction} ${Math.abs(change * 100).toFixed(1)} percent over ` +
    `${String(row.trend.filter((value) => value !== null).length)} settlements`
  );
}
