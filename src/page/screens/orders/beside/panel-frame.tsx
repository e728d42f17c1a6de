import { lazy } from '#page/kit/lazy.tsx';
import { type KeyboardEvent, type ReactNode, useEffect, useMemo, useRef } from 'react';
import { useKeys } from '#page/kit/use-keys.tsx';
import type { OrderRow } from '#model/orders/order-row.ts';
import styles from '../shared/orders.module.css';

/** Loaded when the first order is opened. */
export const LazyOrderDetail = lazy(async () => (await import('./order-detail.tsx')).OrderDetail);

/**
 * Bound only so that the shortcut list shows it: list and panel handle the key themselves, even where single-key
 * shortcuts are off.
 */
const KEYS = [{ keys: 'Escape', label: 'Close the panel', group: 'Orders' }];

/**
 * Returns a key handler for list and panel that closes the panel on Escape, unless the list used the key to clear its
 * selection.
 */
export function useEscape(isOpen: boolean, close: () => void): (event: KeyboardEvent) => void {
  useKeys(KEYS);
  return (event) => {
    if (event.key !== 'Escape' || event.defaultPrevented || !isOpen) return;
    event.preventDefault();
    close();
  };
}

/** Held arrow keys pass over many orders; only the one they stop at is opened. */
const SETTLE_MS = 100;

/** Returns a handler that opens the order under the cursor; undefined while no order is open. */
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

interface PanelFrameProps {
  readonly title: string;
  readonly isWide?: boolean;
  readonly close: () => void;
  readonly children: ReactNode;
}

/** Frames a panel beside a list. */
export function PanelFrame({ title, isWide = false, close, children }: PanelFrameProps) {
  return (
    <aside className={styles['beside']} data-wide={isWide} aria-label={title}>
      <header>
        <h2>{title}</h2>
        <button type="button" onClick={close}>
          Close
        </button>
      </header>
      {children}
    </aside>
  );
}
