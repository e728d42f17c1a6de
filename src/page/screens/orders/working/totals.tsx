import { useDeferredValue, useMemo } from 'react';
import { countOf, formatCount } from '#model/format/count.ts';
import { formatNumber } from '#model/format/number.ts';
import type { OrderRow } from '#model/orders/order-row.ts';
import { toOrderTotals, type SideTotals } from '#model/orders/order-totals.ts';
import type { Source } from '#model/response.ts';
import { formatUsdSum } from '#model/tables/orders/figure-text.ts';
import type { Fact } from '#model/format/provenance.ts';
import { Figure } from '#page/kit/figure.tsx';
import { formatInAllZones } from '#model/format/format-time.ts';
import { NARROW, useMedia } from '#page/kit/use-media.ts';
import styles from '../shared/orders.module.css';

interface TotalsProps {
  readonly rows: readonly OrderRow[];
  /** Whether the rows are the selected ones. */
  readonly ofSelected: boolean;
  /** Orders that may still be working, and are in no total. */
  readonly unconfirmed?: readonly OrderRow[];
  readonly source: Source;
}

/**
 * Shows totals by side, one frame after the rows, so that thousands of orders need not wait for them. They are hidden
 * on a phone, where they would take a third of the list's space.
 */
export function Totals(newest: TotalsProps) {
  const [rows, ofSelected, source] = [
    useDeferredValue(newest.rows),
    useDeferredValue(newest.ofSelected),
    useDeferredValue(newest.source),
  ];
  const totals = useMemo(() => toOrderTotals(rows), [rows]);
  const isNarrow = useMedia(NARROW);
  const sums = totals.sides.map((side) => (
    <SideSums
      key={side.side}
      totals={side}
      ofSelected={ofSelected}
      unconfirmed={newest.unconfirmed?.filter(({ order }) => order.side === side.side).length ?? 0}
      source={source}
    />
  ));
  if (!isNarrow || sums.length === 0) return sums;
  return (
    <details className={styles['totals']}>
      <summary>{ofSelected ? 'Totals of selected orders by side' : 'Totals by side'}</summary>
      {sums}
    </details>
  );
}

const VALUES = [
  [
    'outright',
    'gross notional',
    'Futures and perpetuals: working qty × price × contract size. Added up in whole ticks per product, ' +
      'then converted to USD.',
  ],
  ['premium', 'gross option premium', 'Options: working qty × price × contract size.'],
  [
    'difference',
    'gross spread value',
    'Spreads: working qty × |price| × contract size, added up without signs, so that a negative price ' +
      'does not offset others.',
  ],
] as const;

const LOADING = 'not known while prices are loading';

const UNDERLYING =
  'Working qty × contract size × market price of the product itself, of the underlying of an option, ' +
  'or of the first leg of a spread.';

interface SideSumsProps {
  readonly totals: SideTotals;
  readonly ofSelected: boolean;
  readonly unconfirmed: number;
  readonly source: Source;
}

function SideSums({ totals, ofSelected, unconfirmed, source }: SideSumsProps) {
  const {
    side,
    orders,
    remaining,
    products,
    values,
    underlying,
    withoutUnderlying,
    withoutUsd,
    uncounted,
    doubtful,
    isPending,
  } = totals;
  const known = VALUES.filter(([kind]) => values[kind] !== null);
  // Without any value, the first total says so, or that it is loading.
  const shown = known.length > 0 ? known : VALUES.slice(0, 1);
  const explain = (name: string, how: string) => () => [
    { name, value: how },
    { name: 'Orders', value: formatCount(orders) },
    {
      name: 'Without USD value',
      value: isPending
        ? LOADING
        : `${countOf(withoutUsd, 'order')}: the price is in doubt, the tick size check failed, or no tick size or ` +
          'contract size is published',
    },
    {
      name: 'Without underlying',
      value: isPending
        ? LOADING
        : `${countOf(withoutUnderlying, 'order')}: its market price or its contract size is not known, or withheld`,
    },
    { name: 'Excluded', value: `${countOf(uncounted, 'order')}, because a quantity is impossible or in doubt` },
    { name: 'Endpoint', value: `GET ${source.target}`, code: true },
    { name: 'Received', value: formatInAllZones(source.receivedAt) },
  ];
  return (
    <span className={styles['sums']} data-side={side}>
      Σ {ofSelected && 'selected '}
      {side}{' '}
      <Figure
        name={`Working qty of ${side} orders`}
        text={formatNumber(remaining)}
        provenance={explain(
          'Working qty',
          'Contracts that are not filled yet, added up. Contract sizes differ between products.',
        )}
      />{' '}
      {remaining?.eq(1) === true ? 'contract' : 'contracts'}
      {products > 1 && ` of ${countOf(products, 'product')}`}
      {shown.map(([kind, name, how]) => (
        <Amount
          key={kind}
          name={name}
          side={side}
          text={formatUsdSum(values[kind], isPending)}
          provenance={explain(toTitle(name), how)}
        />
      ))}
      {underlying !== null && (
        <Amount
          name="underlying notional"
          side={side}
          text={formatUsdSum(underlying, isPending)}
          provenance={explain('Underlying notional', UNDERLYING)}
        />
      )}{' '}
      USD
      {withoutUsd > 0 && !isPending && ` (${countOf(withoutUsd, 'order')} without USD value)`}
      {unconfirmed > 0 && !ofSelected && ` (without ${formatCount(unconfirmed)} unconfirmed)`}
      {doubtful > 0 && ` (${countOf(doubtful, 'order')} in doubt)`}
    </span>
  );
}

interface AmountProps {
  readonly name: string;
  readonly side: string;
  readonly text: string;
  readonly provenance: () => readonly Fact[];
}

function toTitle(name: string): string {
  return name.slice(0, 1).toUpperCase() + name.slice(1);
}

/** Shows one total. */
function Amount({ name, side, text, provenance }: AmountProps) {
  return (
    <>
      {' '}
      · {name} <Figure name={`${toTitle(name)} of ${side} orders`} text={text} provenance={provenance} />
    </>
  );
}
