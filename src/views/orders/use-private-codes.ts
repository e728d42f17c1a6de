import { useMemo, useState } from 'react';
import type { OrderRow } from '#domain/orders/order-row.ts';
import { withCodesOf } from './private-codes.ts';

const NONE: ReadonlySet<string> = new Set();

/** The codes that the orders have named since the screen was opened: one whose last order is gone gives its owner away all the same. */
export function usePrivateCodes(rows: readonly OrderRow[]): ReadonlySet<string> {
  const [known, setKnown] = useState(NONE);
  const codes = useMemo(() => withCodesOf(known, rows.map(({ order }) => order)), [known, rows]);
  if (codes !== known) setKnown(codes);
  return codes;
}
