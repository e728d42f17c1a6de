import { useId } from 'react';
import type { OrderRow } from '#model/orders/order-row.ts';
import { FreshnessMark } from '#page/panels/freshness-mark.tsx';
import { PanelBody } from '#page/panels/panel-body.tsx';
import { ErrorBoundary } from '#page/kit/error-boundary.tsx';
import { Link } from '#page/kit/navigation/link.tsx';
import { LifeChanges } from './life-changes.tsx';
import { LifeFacts } from './life-facts.tsx';
import { LifeLine } from './life-line.tsx';
import { toLifeAddress } from '../shared/history-address.ts';
import { NoLife } from './no-life.tsx';
import { LIFE_SECONDS, useLife } from './use-life.ts';
import styles from './life.module.css';

interface LifeSectionProps {
  readonly row: Pick<OrderRow, 'order' | 'terms'>;
  /** Beside orders of an earlier time, where an age that is counted from now would mislead. */
  readonly isPast?: boolean;
}

/** What the journal has of an order: a line through time, and its changes. */
export function LifeSection({ row: { order, terms }, isPast = false }: LifeSectionProps) {
  const life = useLife(order.id);
  const { query, changes, line, gaps } = life;
  const id = useId();
  return (
    <section aria-labelledby={id} aria-busy={query.data === undefined && query.isFetching}>
      <div className={styles['head']}>
        <h3 id={id}>Life</h3>
        <Link to={toLifeAddress(order.id)} aria-label={`Open the life of order ${order.id}`}>
          Open
        </Link>
      </div>
      {query.data !== undefined && !isPast && (
        <p className={styles['note']}>
          <FreshnessMark query={{ ...query, data: query.data }} everySeconds={LIFE_SECONDS} besides={[life.journal]} />
        </p>
      )}
      <ErrorBoundary level={3} of={query.data}>
        <PanelBody query={query} emptyState={({ value }) => (changes.length === 0 ? <NoLife {...value} /> : null)}>
          {(data) => (
            <>
              {line !== null && <LifeLine line={line} changes={changes} gaps={gaps ?? []} side={order.side} />}
              <LifeFacts {...life} />
              <LifeChanges changes={changes} context={{ terms, source: data }} />
            </>
          )}
        </PanelBody>
      </ErrorBoundary>
    </section>
  );
}
