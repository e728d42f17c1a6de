import type { OrderRow } from '#model/orders/order-row.ts';
import { toSetWord } from '#model/orders/working-set.ts';
import type { GridTable } from '#page/kit/grid/grid-props.ts';
import { lazy } from '#page/kit/lazy.tsx';
import { LazyOrderDetail, PanelFrame } from '../beside/panel-frame.tsx';
import type { PanelName } from '../beside/panel-params.ts';
import type { OrderSnapshot } from '../shared/order-snapshot.ts';
import { useMemo } from 'react';
import { WORKING_ORDERS_LIMIT } from '#contract/exchange/order.ts';
import { countOf, formatCount } from '#model/format/count.ts';
import { FactList } from '#page/kit/fact-list.tsx';
import { StatusBadge } from '#page/kit/status-badge.tsx';
import { Time } from '#page/kit/time/time.tsx';
import { CompletenessBadge } from './completeness.tsx';
import styles from '../shared/orders.module.css';

interface SidePanelProps {
  readonly panel: Exclude<PanelName, 'none'>;
  readonly close: () => void;
  /** All rows of the list, including those missing from the last response. */
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

const DepthPanel = lazy(async () => (await import('../beside/depth-panel.tsx')).DepthPanel);
const ExposurePanel = lazy(async () => (await import('../beside/exposure-panel.tsx')).ExposurePanel);

/**
 * Shows the panel beside the list: an order, the depth of a product, the exposure of accounts, or the completeness
 * check.
 */
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
          word={toSetWord({ completeness: shown.completeness, isStale })}
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

interface CompletenessPanelProps {
  readonly rows: readonly OrderRow[];
  readonly snapshot: OrderSnapshot;
  readonly isStale: boolean;
  readonly unconfirmed: number;
}

/** Shows the reads behind the list, and the evidence that it is complete. */
function CompletenessPanel({ rows, snapshot, isStale, unconfirmed }: CompletenessPanelProps) {
  const { completeness, source, deviationTexts } = snapshot;
  const symbols = useMemo(
    () => new Map(rows.map(({ order, terms }) => [String(terms.productId), order.symbol])),
    [rows],
  );
  const sum = completeness.parts.reduce((total, { count }) => total + count, 0);
  return (
    <>
      <FactList
        facts={[
          {
            name: 'Result',
            value: (
              <span className={styles['result']}>
                <CompletenessBadge completeness={completeness} isStale={isStale} />
              </span>
            ),
          },
          { name: 'Orders', value: formatCount(completeness.orders) },
          ...(completeness.drop?.state === 'unverified'
            ? [
                {
                  name: 'Not verified',
                  value:
                    `${countOf(completeness.drop.orders, 'order')} no longer listed and taken to be ` +
                    'gone: the order history has not confirmed it',
                },
              ]
            : []),
          ...(unconfirmed === 0
            ? []
            : [
                {
                  name: 'Unconfirmed',
                  value:
                    `${countOf(unconfirmed, 'order')} from earlier reads missing from this one: ` +
                    'possibly still working, excluded from totals',
                },
              ]),
          { name: 'Sum over parts', value: formatCount(sum) },
          {
            name: 'Duplicate IDs',
            value:
              completeness.repeated === 0 ? (
                <StatusBadge state="good">none</StatusBadge>
              ) : (
                <StatusBadge state="bad">{formatCount(completeness.repeated)}</StatusBadge>
              ),
          },
          { name: 'First part read', value: <Clock at={completeness.readFrom} />, code: true },
          { name: 'Last part read', value: <Clock at={completeness.readTo} />, code: true },
          { name: 'Request', value: `GET ${source.target}`, code: true },
        ]}
      />
      <Sentences
        title={completeness.drop?.state === 'in doubt' ? 'What is being checked' : 'Why the list is incomplete'}
        sentences={completeness.reasons}
      />
      <Sentences title="Validation issues" sentences={deviationTexts} />
      <h3>Parts</h3>
      <p className={styles['quiet']}>
        The exchange returns at most {formatCount(WORKING_ORDERS_LIMIT)} orders per request, so larger sets are read in
        parts.
      </p>
      <div className={styles['tableBox']} role="region" aria-label="Parts" tabIndex={0}>
        <table className={styles['table']}>
          <thead>
            <tr>
              <th scope="col">Filter</th>
              <th scope="col">Orders</th>
              <th scope="col">Read at</th>
            </tr>
          </thead>
          <tbody>
            {completeness.parts.map(({ filter, product, count, readAt }) => (
              <tr key={filter}>
                <th scope="row">
                  {filter} <span className={styles['quiet']}>{symbols.get(product ?? '')}</span>
                </th>
                <td>{formatCount(count)}</td>
                <td>
                  <Time at={readAt}>{readAt.slice(11)}</Time>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

function Clock({ at }: { readonly at: string | null }) {
  if (at === null) return <>–</>;
  return <Time at={at}>{at}</Time>;
}

function Sentences({ title, sentences }: { readonly title: string; readonly sentences: readonly string[] }) {
  if (sentences.length === 0) return null;
  return (
    <>
      <h3>{title}</h3>
      <ul className={styles['sentences']}>
        {sentences.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    </>
  );
}
