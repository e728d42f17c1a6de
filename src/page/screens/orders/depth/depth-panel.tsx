import { useId, useMemo } from 'react';
import { toOrderDepth } from '#model/orders/order-depth.ts';
import { isCounted } from '#model/orders/order-quantities.ts';
import { compareCodes } from '#model/compare-codes.ts';
import { countOf } from '#model/format/count.ts';
import type { OrderRow } from '#model/orders/order-row.ts';
import { useUrlState } from '#page/kit/navigation/navigation.tsx';
import { ScaledDepthChart } from './scaled-depth-chart.tsx';
import { DepthLadder } from './depth-ladder.tsx';
import styles from '../shared/orders.module.css';
import { depthParam } from '../shared/url-params.ts';

/** The depth of the filtered orders, for one product at a time. */
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
        {doubtful > 0 && ` Excludes ${countOf(doubtful, 'order')} whose product is in doubt.`}
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
