import type { OrderRow } from '#domain/orders/order-row.ts';
import { DepthPanel } from '../depth/depth-panel.tsx';
import { OrderDetail } from '../detail/order-detail.tsx';
import styles from '../orders.module.css';
import { CompletenessPanel } from './completeness-panel.tsx';
import type { PanelName } from '../url-params.ts';
import type { WorkingSnapshot } from './use-working.ts';

interface SidePanelProps {
  readonly panel: Exclude<PanelName, 'none'>;
  readonly close: () => void;
  /** All rows of the list, also those that the last response lacks. */
  readonly rows: readonly OrderRow[];
  readonly matching: readonly OrderRow[];
  readonly unconfirmed: number;
  readonly orderId: string;
  readonly openOrder: (id: string) => void;
  readonly shown: WorkingSnapshot;
  readonly isStale: boolean;
}

const TITLES = { order: 'Order', depth: 'Own depth by price', proof: 'Completeness check' } as const;

/** The panel beside the list: an order, the depth of a product, or the completeness check. */
export function SidePanel({ panel, close, rows, matching, unconfirmed, orderId, openOrder, shown, isStale }: SidePanelProps) {
  return (
    <aside className={styles['beside']} aria-label={TITLES[panel]}>
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
