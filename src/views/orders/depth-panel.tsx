import { useId, useMemo } from 'react';
import { toOrderDepth, type DepthLevel } from '#domain/orders/order-depth.ts';
import { compareCodes } from '#domain/compare-codes.ts';
import { formatCount } from '#domain/format-count.ts';
import type { OrderRow } from '#domain/orders/order-row.ts';
import { formatNumber } from '#domain/format-number.ts';
import { describeProvenance, type ProvenanceLine } from '#domain/format-provenance.ts';
import { Figure } from '#ui/figure.tsx';
import { useUrlState } from '#ui/navigation/navigation.tsx';
import { formatInAllZones } from '#ui/time/format-time.ts';
import { DepthChart } from './depth-chart.tsx';
import { formatUsd } from './figure-text.ts';
import styles from './orders.module.css';
import { depthParam } from './side-params.ts';

/** How the orders that are filtered lie by price, for one product at a time. */
export function DepthPanel({ rows }: { readonly rows: readonly OrderRow[] }) {
  const [wanted, setWanted] = useUrlState(depthParam);
  const symbols = useMemo(() => countSymbols(rows), [rows]);
  const symbol = symbols.some(([name]) => name === wanted) ? wanted : (symbols[0]?.[0] ?? '');
  const ofProduct = useMemo(() => rows.filter(({ order }) => order.symbol === symbol), [rows, symbol]);
  const depth = useMemo(() => toOrderDepth(ofProduct), [ofProduct]);
  const captionId = useId();
  const digits = ofProduct[0]?.terms.digits ?? 2;
  const { unit } = depth;
  if (symbol === '') return <p className={styles['quiet']}>No order is let through by the filters.</p>;
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
      <DepthChart depth={depth} symbol={symbol} />
      <p id={captionId} className={styles['caption']}>
        Contracts of ours that rest, by price in {unit}; not the venue’s book
      </p>
      <div key={symbol} ref={showTouch} className={styles['ladder']} role="region" aria-label="Levels" tabIndex={0}>
        <table className={styles['table']} aria-labelledby={captionId}>
          <thead>
            <tr>
              <th scope="col">Side</th>
              <th scope="col">Price, {unit}</th>
              <th scope="col">Orders</th>
              <th scope="col">Resting</th>
              <th scope="col">Sum</th>
            </tr>
          </thead>
          <tbody>
            {depth.asks.toReversed().map((level) => (
              <Level key={`ask ${level.ticks.toFixed()}`} side="Ask" level={level} digits={digits} />
            ))}
            {depth.bids.map((level) => (
              <Level key={`bid ${level.ticks.toFixed()}`} side="Bid" level={level} digits={digits} />
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

/** The best prices first: the ladder opens where bids and asks meet, and not at the ask that is furthest away. */
function showTouch(box: HTMLElement | null): void {
  const bid = box?.querySelector('[data-side=Bid]') ?? box?.querySelector('tbody tr:last-child');
  if (!box || !bid) return;
  box.scrollTop += bid.getBoundingClientRect().top - box.getBoundingClientRect().top - box.clientHeight / 2;
}

interface LevelProps {
  readonly side: 'Bid' | 'Ask';
  readonly level: DepthLevel;
  readonly digits: number;
}

function Level({ side, level, digits }: LevelProps) {
  const { ticks, price, orders, remaining, cumulative } = level;
  const text = price.value === null || price.unit === 'ticks' ? formatNumber(ticks, { digits: 0 }) : formatUsd(price, { digits });
  return (
    <tr>
      <th scope="row" className={styles['side']} data-side={side}>
        {side}
      </th>
      <td>
        <Figure name={`${side} price`} text={text} provenance={() => explain(side, level)} />
      </td>
      <td>{formatCount(orders)}</td>
      <td>{formatCount(remaining)}</td>
      <td>{formatCount(cumulative)}</td>
    </tr>
  );
}

/** Where all of a level’s figures come from. */
function explain(side: string, { price, orders, remaining, cumulative }: DepthLevel): readonly ProvenanceLine[] {
  return [
    { name: 'Resting', value: `${formatCount(remaining)}: requested − filled of ${formatCount(orders)} orders at this price, added up` },
    { name: 'Sum', value: `${formatCount(cumulative)}: with all ${side.toLowerCase()} orders at better prices` },
    ...describeProvenance(price, formatInAllZones),
  ];
}

function countSymbols(rows: readonly OrderRow[]): readonly (readonly [symbol: string, count: number])[] {
  const counts = new Map<string, number>();
  for (const { order } of rows) counts.set(order.symbol, (counts.get(order.symbol) ?? 0) + 1);
  return [...counts].sort(([a, left], [b, right]) => right - left || compareCodes(a, b));
}
