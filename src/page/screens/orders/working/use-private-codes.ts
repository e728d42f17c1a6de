import { useMemo, useState } from 'react';
import type { Order } from '#contract/exchange/order.ts';
import type { OrderRow } from '#model/orders/order-row.ts';
import { compareNewest } from '#model/orders/working-set.ts';
import { addCodes } from '#model/tables/orders/private-codes.ts';

const NONE: ReadonlySet<string> = new Set();

/** All codes seen since the screen opened: a code stays private after its last order is gone. */
export function usePrivateCodes(rows: readonly OrderRow[]): ReadonlySet<string> {
  const [rememberCodes] = useState(createCodeMemory);
  return useMemo(() => rememberCodes(rows), [rememberCodes, rows]);
}

/**
 * Looks only at what has come since the list before. What it once saw stays, also of a list that was never shown.
 *
 * @internal Exported for its test.
 */
export function createCodeMemory(): (rows: readonly OrderRow[]) => ReadonlySet<string> {
  let codes = NONE;
  let before: readonly OrderRow[] = [];
  return (rows) => {
    codes = addCodes(codes, findNew(before, rows));
    before = rows;
    return codes;
  };
}

/** The orders of a list that another one, sorted newest first like it, does not have as the same objects. */
function findNew(before: readonly OrderRow[], rows: readonly OrderRow[]): readonly Order[] {
  const found: Order[] = [];
  let at = 0;
  for (const { order } of rows) {
    let known = before[at];
    for (; known !== undefined && known.order !== order && compareNewest(known.order, order) < 0; known = before[at])
      at += 1;
    if (known?.order !== order) found.push(order);
    if (known?.order.id === order.id) at += 1;
  }
  return found;
}
