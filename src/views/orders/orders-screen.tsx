import { useState } from 'react';
import type { ReactNode } from 'react';
import hidden from '#ui/hidden.module.css';
import { FreshnessMark } from '#ui/panel/freshness-mark.tsx';
import { PanelBody } from '#ui/panel/panel-body.tsx';
import { Toolbar } from '#ui/toolbar.tsx';
import { Completeness } from './completeness.tsx';
import { OrderLists } from './order-lists.tsx';
import styles from './orders.module.css';
import { useOrderBook } from './use-order-book.ts';
import { useWorking, type WorkingReading, type WorkingSnapshot } from './use-working.ts';
import { WorkingOrders } from './working-orders.tsx';

/** Everything of ours that rests in the market, and whether that is all of it. */
export function OrdersScreen() {
  const reading = useWorking();
  const { data, isFetching } = reading.query;
  if (data !== undefined) return <FollowedOrders reading={reading} latest={data} />;
  return (
    <div className={styles['screen']}>
      <Bar />
      <div className={styles['body']} aria-busy={isFetching}>
        <ListHeading />
        <PanelBody query={reading.query}>{() => null}</PanelBody>
      </div>
    </div>
  );
}

interface FollowedOrdersProps {
  readonly reading: WorkingReading;
  readonly latest: WorkingSnapshot;
}

/** Age and completeness are those of what is shown, which while held is older than what is there. */
function FollowedOrders({ reading: { query, dueAt }, latest }: FollowedOrdersProps) {
  const [paused, setPaused] = useState(false);
  const [busy, setBusy] = useState(false);
  const held = paused ? 'paused' : busy ? 'busy' : null;
  const following = useOrderBook(latest, held !== null);
  const { shown } = following;
  return (
    <div className={styles['screen']}>
      <Bar>
        <Completeness proof={shown.proof} />
        <FreshnessMark query={{ ...query, data: shown }} everySeconds={shown.everySeconds} paused={paused} />
      </Bar>
      <div className={styles['body']}>
        <ListHeading />
        <PanelBody query={query}>{() => <WorkingOrders following={following} dueAt={dueAt} held={held} setPaused={setPaused} setBusy={setBusy} />}</PanelBody>
      </div>
    </div>
  );
}

/** Only read out: what stands in place of a list has a heading below this one. */
function ListHeading() {
  return <h2 className={hidden['hidden']}>Orders</h2>;
}

function Bar({ children }: { readonly children?: ReactNode }) {
  return (
    <Toolbar title="Working orders" aside={<span className={styles['aside']}>{children}</span>}>
      <OrderLists here="Working" />
    </Toolbar>
  );
}
