import { useEffect, useMemo, useRef } from 'react';
import type { OrderRow } from '#model/orders/order-row.ts';

/** While an arrow key is held down, only the order that it stops at is opened. */
const SETTLE_MS = 100;

/** Opens the order that the cursor moves to, while an order is open. */
export function useFollowCursor(isOpen: boolean, open: (id: string) => void): ((row: OrderRow) => void) | undefined {
  const timer = useRef<number | undefined>(undefined);
  useEffect(
    () => () => {
      window.clearTimeout(timer.current);
    },
    [isOpen],
  );
  return useMemo(() => {
    if (!isOpen) return undefined;
    return ({ order }) => {
      window.clearTimeout(timer.current);
      timer.current = window.setTimeout(() => {
        open(order.id);
      }, SETTLE_MS);
    };
  }, [isOpen, open]);
}
