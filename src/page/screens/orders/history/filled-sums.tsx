import { useMemo } from 'react';
import { countOf, formatCount } from '#model/format/count.ts';
import { formatNumber } from '#model/format/number.ts';
import { type FilledTotals, toFilledTotals } from '#model/orders/order-totals.ts';
import type { OrderRow } from '#model/orders/order-row.ts';
import { formatUsdSum } from '#model/tables/orders/figure-text.ts';
import { Figure } from '#page/kit/figure.tsx';
import styles from '../shared/orders.module.css';

interface FilledSumsProps {
  readonly rows: readonly OrderRow[];
  /** The number of selected orders that are not in memory. */
  readonly missing: number;
  readonly loaded: number;
  /** Whether the list has been loaded to its end. */
  readonly isWhole: boolean;
}

/** Shows the filled totals of the selected orders by side, and how many orders they were selected from. */
export function FilledSums({ rows, missing, loaded, isWhole }: FilledSumsProps) {
  const totals = useMemo(() => toFilledTotals(rows), [rows]);
  return (
    <>
      <span>
        <b>{formatCount(rows.length)}</b> selected of {isWhole ? 'all' : 'the'} {formatCount(loaded)}{' '}
        {isWhole ? 'orders' : 'loaded, more available'}
        {missing > 0 && `; totals exclude ${formatCount(missing)} more, not in memory`}
      </span>
      {totals.map((side) => (
        <SideSums key={side.side} totals={side} />
      ))}
    </>
  );
}

function SideSums({ totals: { side, orders, filled, value, unvalued, isPending } }: { readonly totals: FilledTotals }) {
  const explain = (how: string) => () => [
    { name: 'Computed', value: how },
    { name: 'Orders', value: formatCount(orders) },
    {
      name: 'Without a value',
      value: isPending
        ? 'not known while prices are loading'
        : `${countOf(unvalued, 'order')} with fills: the tick size check failed, or no tick size or ` +
          'contract size is published',
    },
  ];
  return (
    <span className={styles['sums']} data-side={side}>
      Σ selected {side}{' '}
      <Figure
        name={`Filled quantity of selected ${side} orders`}
        text={formatNumber(filled)}
        provenance={explain('Filled contracts, added up. Contract sizes differ between products.')}
      />{' '}
      {filled?.eq(1) === true ? 'contract' : 'contracts'} filled · gross filled value{' '}
      <Figure
        name={`Filled value of selected ${side} orders`}
        text={formatUsdSum(value, isPending)}
        provenance={explain('Filled contracts × average price × contract size, added up without signs.')}
      />{' '}
      USD
      {unvalued > 0 && !isPending && ` (${countOf(unvalued, 'order')} without USD value)`}
    </span>
  );
}
