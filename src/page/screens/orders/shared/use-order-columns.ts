import { useMemo } from 'react';
import type { OrderRow } from '#model/orders/order-row.ts';
import { useZone } from '#page/kit/use-preferences.tsx';
import { NARROW, useMedia } from '#page/kit/use-media.ts';
import { createOrderColumns } from '#model/tables/orders/columns.ts';
import type { Column } from '#model/tables/orders/column-kinds.ts';
import { countMostDigits } from '#model/tables/orders/figure-text.ts';

export function keyOfOrder({ order }: OrderRow): string {
  return order.id;
}

/** Returns the columns for a list of orders, wide enough for its prices. */
export function useOrderColumns(rows: readonly OrderRow[]): readonly Column[] {
  const [zone] = useZone();
  const isNarrow = useMedia(NARROW);
  const mostDigits = useMemo(() => countMostDigits(rows), [rows]);
  return useMemo(() => createOrderColumns({ mostDigits, zone, isNarrow }), [mostDigits, zone, isNarrow]);
}
