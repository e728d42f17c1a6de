import { useMemo } from 'react';
import { countOf, formatCount } from '#domain/format/count.ts';
import { formatNumber } from '#domain/format/number.ts';
import { toFilledTotals, type FilledTotals } from '#domain/orders/filled-totals.ts';
import type { OrderRow } from '#domain/orders/order-row.ts';
import { Figure } from '#ui/figure.tsx';
import styles from '../orders.module.css';

/** What was filled of the selected orders, by side. */
export function FilledSums({ rows }: { readonly rows: readonly OrderRow[] }) {
  const totals = useMemo(() => toFilledTotals(rows), [rows]);
  return (
    <>
      <span>
        <b>{formatCount(rows.length)}</b> selected
      </span>
      {totals.map((side) => (
        <SideSums key={side.side} totals={side} />
      ))}
    </>
  );
}

function SideSums({ totals: { side, orders, filled, value, unvalued } }: { readonly totals: FilledTotals }) {
  const explain = (how: string) => () => [
    { name: 'Computed', value: how },
    { name: 'Orders', value: formatCount(orders) },
    { name: 'Without a value', value: `${countOf(unvalued, 'order')} with fills: the tick size check failed, or no tick size or contract size is published` },
  ];
  return (
    <span className={styles['sums']} data-side={side}>
      Σ selected {side} <Figure name={`Filled quantity of selected ${side} orders`} text={formatNumber(filled)} provenance={explain('Filled contracts, added up. Contract sizes differ between products.')} /> {filled?.eq(1) === true ? 'contract' : 'contracts'} filled · gross filled value{' '}
      <Figure name={`Filled value of selected ${side} orders`} text={formatNumber(value, { digits: 2 })} provenance={explain('Filled contracts × average price × contract size, added up without signs.')} /> USD
      {unvalued > 0 && ` (${countOf(unvalued, 'order')} without USD value)`}
    </span>
  );
}
