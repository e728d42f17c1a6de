import type { RefObject } from 'react';
import type { OrderRow } from '#domain/orders/order-row.ts';
import type { GridHandle } from '#ui/grid/grid-props.ts';
import { DepthPanel } from '../depth/depth-panel.tsx';
import { OrderDetail } from '../detail/order-detail.tsx';
import styles from '../orders.module.css';
import { CompletenessPanel } from './completeness-panel.tsx';
import type { PanelName } from '../url-params.ts';
import type { WorkingSnapshot } from './use-working.ts';

interface SidePanelProps {
  readonly panel: Exclude<PanelName, 'none'>;
  readonly setPanel: (panel: PanelName) => void;
  /** All rows of the list, also those that the last response lacks. */
  readonly rows: readonly OrderRow[];
  readonly matching: readonly OrderRow[];
  readonly unconfirmed: number;
  readonly orderId: string;
  readonly openOrder: (id: string) => void;
  readonly shown: WorkingSnapshot;
  readonly isStale: boolean;
  readonly grid: RefObject<GridHandle | null>;
}

const TITLES = { order: 'Order', depth: 'Own depth by price', proof: 'Completeness check' } as const;

/** The panel beside the list: an order, the depth of a product, or the completeness check. */
export function SidePanel({ panel, setPanel, rows, matching, unconfirmed, orderId, openOrder, shown, isStale, grid }: SidePanelProps) {
  const close = (): void => {
    setPanel('none');
    grid.current?.focus();
  };
  return (
    <aside
      className={styles['beside']}
      aria-label={TITLES[panel]}
      onKeyDown={({ key }) => {
        if (key === 'Escape') close();
      }}
    >
      <header>
        <h2>{TITLES[panel]}</h2>
        <button type="button" onClick={close}>
          Close
        </button>
      </header>
      {panel === 'order' && <OrderDetail rows={rows} orderId={orderId} open={openOrder} />}
      {panel === 'depth' && <DepthPanel rows={matching} />}
      {panel === 'proof' && <CompletenessPanel snapshot={shown} isStale={isStale} unconfirmed={unconfirmed} />}
    </aside>
  );
}
