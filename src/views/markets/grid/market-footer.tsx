import type { ReactNode } from 'react';
import { formatNumber } from '#domain/format/number.ts';
import { type MarketRow, toMarketTotals } from '#domain/markets/market-rows.ts';
import type { Decimal } from '#domain/units/decimal.ts';
import type { Quantity } from '#domain/units/quantity.ts';
import { CsvButtons } from '#ui/csv-button.tsx';
import { Figure } from '#ui/figure.tsx';
import styles from '../markets-screen.module.css';

interface MarketFooterProps {
  /** In the order of the list. */
  readonly rows: readonly MarketRow[];
  readonly total: number;
  /** More buttons. */
  readonly children?: ReactNode;
}

export function MarketFooter({ rows, total, children }: MarketFooterProps) {
  const { volumeUsd, openInterestUsd } = toMarketTotals(rows);
  return (
    <footer className={styles['footer']}>
      <span>
        <b>{rows.length}</b> of {total} products
      </span>
      <CsvButtons fileName="markets" write={async (form) => (await import('../market-csv.ts')).toMarketCsv(rows, form)} />
      {children}
      <Sum name="24 h volume" sum={volumeUsd} parts={rows.map((row) => row.volumeUsd)} />
      <Sum name="Open interest" sum={openInterestUsd} parts={rows.map((row) => row.openInterestUsd)} />
      <Legend />
    </footer>
  );
}

/** Holds the footer's place until the list has loaded, so that nothing moves then. */
export function FooterPlaceholder() {
  return (
    <footer className={styles['footer']}>
      <Legend />
    </footer>
  );
}

function Legend() {
  return <span className={styles['legend']}>Positive funding: longs pay shorts. APR (simple) = rate × 3 × 365.</span>;
}

interface SumProps {
  readonly name: string;
  readonly sum: Decimal | null;
  readonly parts: readonly (Quantity | null)[];
}

function Sum({ name, sum, parts }: SumProps) {
  const known = parts.filter((part) => part !== null && part.value !== null).length;
  const facts = [{ name: 'Computed', value: 'Exact sum over the products shown' }];
  return (
    <span>
      {name} <Figure name={name} text={formatNumber(sum, { digits: 0 })} provenance={() => facts} /> USD
      {known < parts.length && ` (${String(known)} of ${String(parts.length)} products)`}
    </span>
  );
}
