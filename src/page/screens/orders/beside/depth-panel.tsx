import { countOf, formatCount } from '#model/format/count.ts';
import { formatNumber } from '#model/format/number.ts';
import { describeProvenance, type ProvenanceLine } from '#model/format/provenance.ts';
import { type DepthLevel, type OrderDepth, toOrderDepth, toSpread, withinOf } from '#model/orders/order-depth.ts';
import { Figure } from '#page/kit/figure.tsx';
import { formatInAllZones } from '#model/format/format-time.ts';
import { formatLevelPrice } from '#model/tables/orders/figure-text.ts';
import styles from '../shared/orders.module.css';
import type { MarketPrice } from '#model/orders/order-terms.ts';
import { type DepthBox, placeOf, toDepthArea, toDepthBox, toDepthPath } from '#model/charts/orders/depth-path.ts';
import { useId, useMemo } from 'react';
import { useUrlState } from '#page/kit/navigation.tsx';
import { Segmented } from '#page/kit/segmented.tsx';
import { depthParam, type DepthScale, scaleParam } from './panel-params.ts';
import { isCounted, type OrderRow } from '#model/orders/order-row.ts';
import { compareCodes } from '#model/compare-codes.ts';

interface DepthLadderProps {
  readonly depth: OrderDepth;
  readonly digits: number;
  readonly captionId: string;
}

/** Lists the price levels of our orders, highest first, with the gap between our asks and bids. */
function DepthLadder({ depth, digits, captionId }: DepthLadderProps) {
  const { unit, asks, bids } = depth;
  return (
    <div ref={showTouch} className={styles['ladder']} role="region" aria-label="Price levels" tabIndex={0}>
      <table className={styles['table']} aria-labelledby={captionId}>
        <thead>
          <tr>
            <th scope="col">Side</th>
            <th scope="col">Price ({unit})</th>
            <th scope="col">Orders</th>
            <th scope="col">Working qty</th>
            <th scope="col">Cumulative</th>
          </tr>
        </thead>
        <tbody>
          {asks.toReversed().map((level) => (
            <Level key={`ask ${level.ticks.toFixed()}`} side="Ask" level={level} digits={digits} />
          ))}
          <SpreadRow depth={depth} digits={digits} />
          {bids.map((level) => (
            <Level key={`bid ${level.ticks.toFixed()}`} side="Bid" level={level} digits={digits} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Scrolls the best prices into view. */
function showTouch(box: HTMLElement | null): void {
  const row =
    box?.querySelector<HTMLElement>('[data-touch]') ??
    box?.querySelector<HTMLElement>('tbody tr:has([data-side=Bid])') ??
    box?.querySelector<HTMLElement>('tbody tr:last-child');
  if (!box || !row) return;
  const middle = row.getBoundingClientRect().top - box.getBoundingClientRect().top - box.clientHeight / 2;
  // Scrolls by whole rows, so that the heading does not cut one in half.
  box.scrollTop = Math.round(middle / row.offsetHeight) * row.offsetHeight;
}

function SpreadRow({ depth, digits }: Pick<DepthLadderProps, 'depth' | 'digits'>) {
  const spread = toSpread(depth);
  if (spread === null) return null;
  const { ticks, usd } = spread;
  const how = [
    {
      name: 'Own gap',
      value: 'Best ask − best bid of your own orders in this list, not the market’s spread; negative if they cross.',
    },
  ];
  return (
    <tr data-touch="" className={styles['spread']}>
      <th scope="row">Own gap</th>
      <td>
        <Figure
          name="Own gap"
          text={usd === null ? formatNumber(ticks) : formatNumber(usd, { digits })}
          provenance={() => how}
        />
      </td>
      <td colSpan={3}>{usd !== null && `${formatNumber(ticks)} ticks`}</td>
    </tr>
  );
}

interface LevelProps {
  readonly side: 'Bid' | 'Ask';
  readonly level: DepthLevel;
  readonly digits: number;
}

function Level({ side, level, digits }: LevelProps) {
  return (
    <tr>
      <th scope="row" className={styles['side']} data-side={side}>
        {side}
      </th>
      <td>
        <Figure name={`${side} price`} text={formatLevelPrice(level, digits)} provenance={() => explain(side, level)} />
      </td>
      <td>{formatCount(level.orders)}</td>
      <td>{formatCount(level.remaining)}</td>
      <td>{formatCount(level.cumulative)}</td>
    </tr>
  );
}

function explain(side: string, { price, orders, remaining, cumulative }: DepthLevel): readonly ProvenanceLine[] {
  return [
    {
      name: 'Working qty',
      value: `${formatCount(remaining)}: requested − filled, added up over ${countOf(orders, 'order')} at this price`,
    },
    {
      name: 'Cumulative',
      value: `${formatCount(cumulative)}: including all ${side.toLowerCase()} orders at better prices`,
    },
    ...describeProvenance(price, formatInAllZones),
  ];
}

interface DepthChartProps {
  readonly depth: OrderDepth;
  readonly symbol: string;
  /** Fraction digits of prices. */
  readonly digits: number;
  readonly market: MarketPrice | null;
}

const SIZE = { width: 300, height: 96 } as const;

/** Draws cumulative steps: bids filled, asks outlined and dashed, so that the sides do not depend on colour alone. */
function DepthChart({ depth, symbol, digits, market }: DepthChartProps) {
  if (depth.bids.length + depth.asks.length === 0) return <p className={styles['quiet']}>No orders at these prices.</p>;
  const box = toDepthBox(depth, SIZE);
  const ends = toEnds(depth).map((level) => formatLevelPrice(level, digits));
  return (
    <div className={styles['depth']}>
      <span>{formatCount(box.most)} contracts</span>
      <svg
        viewBox={`0 0 ${String(SIZE.width)} ${String(SIZE.height)}`}
        role="img"
        aria-label={summarise(depth, symbol)}
        preserveAspectRatio="none"
      >
        <path data-side="Bid" d={toDepthArea(toDepthPath(depth.bids, 'down', box), box)} />
        <MarketLine market={market} box={box} />
        <path data-side="Ask" d={toDepthPath(depth.asks, 'up', box)} />
      </svg>
      <div className={styles['ends']} style={{ paddingInline: `${String(box.beyond * 100)}%` }}>
        {ends.map((price) => (
          <span key={price}>{price}</span>
        ))}
      </div>
    </div>
  );
}

/** Draws the market price if it lies within the chart. */
function MarketLine({ market, box }: { readonly market: MarketPrice | null; readonly box: DepthBox }) {
  const x = placeOf(market?.ticks ?? -Infinity, box);
  return x < 0 || x > box.width ? null : <path data-market="" d={`M${x.toFixed(1)} 0V${box.height.toFixed(1)}`} />;
}

/** Returns the levels with the lowest and the highest price. */
function toEnds({ bids, asks }: OrderDepth): readonly DepthLevel[] {
  const levels = [...bids, ...asks].sort((a, b) => a.ticks.comparedTo(b.ticks));
  return levels.length > 1 ? [...levels.slice(0, 1), ...levels.slice(-1)] : levels;
}

function summarise({ bids, asks }: OrderDepth, symbol: string): string {
  return `${symbol}: ${describe('bid', bids)}; ${describe('ask', asks)}. The figures are in the table below.`;
}

function describe(side: string, levels: readonly DepthLevel[]): string {
  const total = levels.at(-1)?.cumulative ?? 0;
  return `${countOf(total, 'contract')} ${side} at ${countOf(levels.length, 'price')}`;
}

const SCALES: readonly (readonly [DepthScale, string])[] = [
  ['5', 'Within 5 %'],
  ['20', 'Within 20 %'],
  ['all', 'All'],
];

/**
 * Draws the depth chart up to the chosen distance from the market: a single far order would squeeze all others
 * together.
 */
function ScaledDepthChart({ depth, market, ...names }: DepthChartProps) {
  const [scale, setScale] = useUrlState(scaleParam);
  const centre = market?.ticks ?? 0;
  const part = useMemo(
    () => (scale === 'all' || centre <= 0 ? { ...depth, beyond: 0 } : withinOf(depth, centre, Number(scale) / 100)),
    [depth, centre, scale],
  );
  if (market === null || centre <= 0) return <DepthChart depth={depth} market={null} {...names} />;
  return (
    <>
      <Segmented label="Prices in the chart" choices={SCALES} value={scale} onChange={setScale} />
      <DepthChart depth={part} market={market} {...names} />
      <p className={styles['caption']}>
        The vertical line is the {market.is}.
        {part.beyond > 0 &&
          ` ${countOf(part.beyond, 'order')} further than ${scale} % from it ` +
            `${part.beyond === 1 ? 'is' : 'are'} not in the chart, but in the table.`}
      </p>
    </>
  );
}

/** Shows the depth of the filtered orders, one product at a time. */
export function DepthPanel({ rows }: { readonly rows: readonly OrderRow[] }) {
  const [wanted, setWanted] = useUrlState(depthParam);
  const symbols = useMemo(() => countSymbols(rows), [rows]);
  const symbol = symbols.some(([name]) => name === wanted) ? wanted : (symbols[0]?.[0] ?? '');
  const ofProduct = useMemo(() => rows.filter(({ order }) => order.symbol === symbol), [rows, symbol]);
  const depth = useMemo(() => toOrderDepth(ofProduct), [ofProduct]);
  const market = ofProduct.find(({ terms }) => terms.market !== null)?.terms.market ?? null;
  const uncounted = ofProduct.filter(({ order }) => !isCounted(order)).length;
  const doubtful = ofProduct.filter(({ terms }) => terms.doubt !== null).length;
  const captionId = useId();
  const digits = ofProduct.find(({ terms }) => terms.doubt === null)?.terms.digits ?? 2;
  if (symbol === '') return <p className={styles['quiet']}>No orders match the filters.</p>;
  return (
    <>
      <label className={styles['choice']}>
        Product
        <select
          value={symbol}
          onChange={({ target }) => {
            setWanted(target.value);
          }}
        >
          {symbols.map(([name, count]) => (
            <option key={name} value={name}>
              {name} ({count})
            </option>
          ))}
        </select>
      </label>
      <ScaledDepthChart depth={depth} symbol={symbol} digits={digits} market={market} />
      <p id={captionId} className={styles['caption']}>
        Your working orders only, not the market book. Prices in {depth.unit}.
        {uncounted > 0 && ` Excludes ${countOf(uncounted, 'order')} with an impossible quantity.`}
        {doubtful > 0 && ` Excludes ${countOf(doubtful, 'order')} in doubt.`}
      </p>
      <DepthLadder key={symbol} depth={depth} digits={digits} captionId={captionId} />
    </>
  );
}

function countSymbols(rows: readonly OrderRow[]): readonly (readonly [symbol: string, count: number])[] {
  const counts = new Map<string, number>();
  for (const { order } of rows) counts.set(order.symbol, (counts.get(order.symbol) ?? 0) + 1);
  return [...counts].sort(([a, left], [b, right]) => right - left || compareCodes(a, b));
}
