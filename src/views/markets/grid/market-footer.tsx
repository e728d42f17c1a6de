import type { ReactNode } from 'react';
import { formatNumber } from '#domain/format-number.ts';
import { toMarketTotals } from '#domain/market-totals.ts';
import type { MarketRow } from '#domain/market-rows.ts';
import type { Decimal } from '#domain/decimal.ts';
import type { Quantity } from '#domain/quantity.ts';
import { useNotLoaded } from '#ui/toast.tsx';
import { Figure } from '#ui/figure.tsx';
import styles from '../markets-screen.module.css';

interface MarketFooterProps {
  /** As they stand in the list. */
  readonly rows: readonly MarketRow[];
  readonly total: number;
  /** What else can be done with them. */
  readonly children?: ReactNode;
}

/** How much of the list is shown, and what it sums up to. */
export function MarketFooter({ rows, total, children }: MarketFooterProps) {
  const { volumeUsd, openInterestUsd } = toMarketTotals(rows);
  const notLoaded = useNotLoaded();
  return (
    <footer className={styles['footer']}>
      <span>
        <b>{rows.length}</b> of {total} products
      </span>
      <button
        type="button"
        onClick={() => {
          save(rows).catch(notLoaded);
        }}
      >
        CSV
      </button>
      {children}
      <Sum name="24 h volume" sum={volumeUsd} parts={rows.map((row) => row.volumeUsd)} />
      <Sum name="Open interest" sum={openInterestUsd} parts={rows.map((row) => row.openInterestUsd)} />
      <Legend />
    </footer>
  );
}

/** Until there is a list: the frame stands from the start, and what comes does not push it about. */
export function EarlyFooter() {
  return (
    <footer className={styles['footer']}>
      <Legend />
    </footer>
  );
}

function Legend() {
  return <span className={styles['legend']}>Funding above zero: longs pay shorts. APR, simple = rate × 3 × 365.</span>;
}

/** Written by code that comes when it is wanted. */
async function save(rows: readonly MarketRow[]): Promise<void> {
  const { saveMarkets } = await import('../market-csv.ts');
  saveMarkets(rows);
}

interface SumProps {
  readonly name: string;
  readonly sum: Decimal | null;
  readonly parts: readonly (Quantity | null)[];
}

function Sum({ name, sum, parts }: SumProps) {
  const known = parts.filter((part) => part !== null && part.value !== null).length;
  const facts = [{ name: 'Computed', value: 'Sum over the products shown, exact' }];
  return (
    <span>
      {name} <Figure name={name} text={formatNumber(sum, { digits: 0 })} provenance={() => facts} /> USD
      {known < parts.length && ` of ${String(known)} of ${String(parts.length)} products`}
    </span>
  );
}
