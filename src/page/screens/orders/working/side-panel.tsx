import type { OrderRow } from '#model/orders/order-row.ts';
import type { GridTable } from '#page/kit/grid/grid-table.ts';
import { lazy } from '#page/kit/lazy.tsx';
import { DepthPanel } from '../depth/depth-panel.tsx';
import { LazyOrderDetail } from '../detail/lazy-order-detail.ts';
import { PanelFrame } from '../shared/panel-frame.tsx';
import { CompletenessPanel } from './completeness-panel.tsx';
import type { PanelName } from '../shared/url-params.ts';
import type { OrderSnapshot } from '../shared/order-snapshot.ts';

interface SidePanelProps {
  readonly panel: Exclude<PanelName, 'none'>;
  readonly close: () => void;
  /** All rows of the list, also those that the last response lacks. */
  readonly rows: readonly OrderRow[];
  readonly matching: readonly OrderRow[];
  readonly unconfirmed: number;
  readonly orderId: string;
  readonly openOrder: (id: string) => void;
  readonly shown: OrderSnapshot;
  readonly isStale: boolean;
  readonly table: GridTable<OrderRow>;
  readonly setBusy: (busy: boolean) => void;
}

const TITLES = {
  order: 'Order',
  depth: 'Depth of your orders',
  exposure: 'Exposure by account',
  proof: 'Completeness check',
} as const;

const ExposurePanel = lazy(async () => (await import('../exposure/exposure-panel.tsx')).ExposurePanel);

/** The panel beside the list: an order, the depth of a product, the exposure of accounts, or the completeness check. */
export function SidePanel({
  panel,
  close,
  rows,
  matching,
  unconfirmed,
  orderId,
  openOrder,
  shown,
  isStale,
  table,
  setBusy,
}: SidePanelProps) {
  return (
    <PanelFrame title={TITLES[panel]} isWide={panel === 'exposure'} close={close}>
      {panel === 'order' && <LazyOrderDetail rows={rows} orderId={orderId} open={openOrder} />}
      {panel === 'exposure' && (
        <ExposurePanel
          rows={rows}
          columns={table.columns}
          state={table.state}
          set={table.set}
          shown={shown}
          isStale={isStale}
          setBusy={setBusy}
        />
      )}
      {panel === 'depth' && <DepthPanel rows={matching} />}
      {panel === 'proof' && (
        <CompletenessPanel rows={rows} snapshot={shown} isStale={isStale} unconfirmed={unconfirmed} />
      )}
    </PanelFrame>
  );
}
