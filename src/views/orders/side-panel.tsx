import type { RefObject } from 'react';
import type { OrderRow } from '#domain/orders/order-row.ts';
import type { GridHandle } from '#ui/grid/grid-props.ts';
import { DepthPanel } from './depth-panel.tsx';
import { OrderDetail } from './order-detail.tsx';
import styles from './orders.module.css';
import { ProofPanel } from './proof-panel.tsx';
import type { Side } from './side-params.ts';
import type { WorkingSnapshot } from './use-working.ts';

interface SidePanelProps {
  readonly side: Exclude<Side, 'none'>;
  readonly setSide: (side: Side) => void;
  /** All, also those that the last answer does not have. */
  readonly rows: readonly OrderRow[];
  readonly matching: readonly OrderRow[];
  readonly unread: number;
  readonly orderId: string;
  readonly openOrder: (id: string) => void;
  readonly shown: WorkingSnapshot;
  readonly grid: RefObject<GridHandle | null>;
}

const TITLES = { order: 'Order', depth: 'Depth by price', proof: 'Is this all?' } as const;

/** What is told beside the list of one order, of a product's depth, or of the list itself. */
export function SidePanel({ side, setSide, rows, matching, unread, orderId, openOrder, shown, grid }: SidePanelProps) {
  const close = (): void => {
    setSide('none');
    grid.current?.focus();
  };
  return (
    <aside
      className={styles['beside']}
      aria-label={TITLES[side]}
      onKeyDown={({ key }) => {
        if (key === 'Escape') close();
      }}
    >
      <header>
        <h2>{TITLES[side]}</h2>
        <button type="button" onClick={close}>
          Close
        </button>
      </header>
      {side === 'order' && <OrderDetail rows={rows} orderId={orderId} open={openOrder} />}
      {side === 'depth' && <DepthPanel rows={matching} />}
      {side === 'proof' && <ProofPanel snapshot={shown} unread={unread} />}
    </aside>
  );
}
