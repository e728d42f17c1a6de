import type { ReactNode } from 'react';
import type { MarketRow } from '#model/markets/market-rows.ts';
import { NARROW, useMedia } from '#page/kit/use-media.ts';
import type { ListCode } from './list-code.tsx';
import styles from '../shared/markets-screen.module.css';

interface MarketFooterProps {
  /** In list order. */
  readonly rows: readonly MarketRow[];
  readonly total: number;
  /** Null until it has loaded. */
  readonly code: ListCode | null;
  /** Additional buttons. */
  readonly children?: ReactNode;
}

export function MarketFooter({ rows, total, code, children }: MarketFooterProps) {
  const isNarrow = useMedia(NARROW);
  const totals = (
    <>
      {code !== null && <code.MarketSums rows={rows} />}
      <Legend />
    </>
  );
  return (
    <footer className={styles['footer']}>
      <span>
        <b>{rows.length}</b> of {total} products
      </span>
      {children}
      {code !== null && <code.ListEnd rows={rows} />}
      {isNarrow ? (
        <details>
          <summary>Totals</summary>
          {totals}
        </details>
      ) : (
        totals
      )}
    </footer>
  );
}

/** Reserves the footer's space until the list has loaded, so that nothing moves. */
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
