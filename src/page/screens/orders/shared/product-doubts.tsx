import { useMemo } from 'react';
import type { OrderRow } from '#model/orders/order-row.ts';
import { lazy } from '#page/kit/lazy.tsx';
import styles from './history.module.css';

const SpecificationDoubts = lazy(
  async () => (await import('#page/panels/products/specification-doubts.tsx')).SpecificationDoubts,
);

/** Says of which products that have orders in the list the specification is in doubt. It stands below the list. */
export function ProductDoubts({ rows }: { readonly rows: readonly OrderRow[] }) {
  const doubtful = useMemo(
    () => [...new Set(rows.map(({ terms }) => terms.product))].filter((product) => product?.doubts !== undefined),
    [rows],
  );
  return doubtful.length > 0 && <SpecificationDoubts products={doubtful} className={styles['notice']} />;
}
