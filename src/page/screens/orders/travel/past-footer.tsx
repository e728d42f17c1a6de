import type { ReactNode } from 'react';
import { formatCount } from '#model/format/count.ts';
import type { OrderRow } from '#model/orders/order-row.ts';
import { Time } from '#page/kit/time/time.tsx';
import { CHECK_LIMITED } from '../shared/use-order-terms.ts';
import styles from '../shared/orders.module.css';
import { CompletenessBadge } from '../working/completeness.tsx';
import { Totals } from '../working/totals.tsx';
import type { PastBook } from './use-book.ts';

interface PastFooterProps {
  readonly book: PastBook;
  readonly matching: readonly OrderRow[];
  readonly selected: readonly OrderRow[];
  /** The grid’s last message, such as what was copied. */
  readonly message: string;
  readonly counts: ReactNode;
}

export function PastFooter({ book, matching, selected, message, counts }: PastFooterProps) {
  const at = book.completeness.readTo ?? '';
  return (
    <footer className={styles['footer']}>
      <span>
        <b>{formatCount(matching.length)}</b> of <b>{formatCount(book.rows.length)}</b> shown
        {selected.length > 0 && `, ${formatCount(selected.length)} selected`}
      </span>
      {counts}
      <CompletenessBadge completeness={book.completeness} isStale={false} />
      <Time at={at}>as of {at.slice(11)}</Time>
      {book.isCheckLimited && <span>{CHECK_LIMITED}</span>}
      {message !== '' && <span>{message}</span>}
      <Totals rows={selected.length > 0 ? selected : matching} ofSelected={selected.length > 0} source={book.source} />
    </footer>
  );
}
