import { countOf, formatCount } from '#model/format/count.ts';
import { formatNumber } from '#model/format/number.ts';
import { describeProvenance, type ProvenanceLine } from '#model/format/provenance.ts';
import { toSpread, type DepthLevel, type OrderDepth } from '#model/orders/order-depth.ts';
import { Figure } from '#page/kit/controls/figure.tsx';
import { formatInAllZones } from '#model/format/format-time.ts';
import { formatLevelPrice } from '#model/tables/orders/figure-text.ts';
import styles from '../shared/orders.module.css';

interface DepthLadderProps {
  readonly depth: OrderDepth;
  readonly digits: number;
  readonly captionId: string;
}

/** Our price levels, highest first, with the gap between our asks and bids. */
export function DepthLadder({ depth, digits, captionId }: DepthLadderProps) {
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
  // By whole rows, so that the heading does not cut one.
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
