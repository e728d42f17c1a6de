import { useState } from 'react';
import { Link } from '#ui/navigation/link.tsx';
import { FreshnessMark } from '#ui/panel/freshness-mark.tsx';
import { PanelBody } from '#ui/panel/panel-body.tsx';
import { Toolbar } from '#ui/toolbar.tsx';
import { Completeness } from './completeness.tsx';
import styles from './orders.module.css';
import { useWorking, WORKING_SECONDS } from './use-working.ts';
import { WorkingOrders } from './working-orders.tsx';

/** Everything of ours that rests in the market, and whether that is all of it. */
export function OrdersScreen() {
  const { query, dueAt } = useWorking();
  const [paused, setPaused] = useState(false);
  const { data } = query;
  const aside = data && (
    <span className={styles['aside']}>
      <Completeness proof={data.proof} />
      <FreshnessMark query={{ ...query, data }} everySeconds={WORKING_SECONDS} paused={paused} />
    </span>
  );
  return (
    <div className={styles['screen']}>
      <Toolbar title="Working orders" aside={aside}>
        <nav className={styles['lists']} aria-label="Lists of orders">
          <Link to="/orders" aria-current="page">
            Working
          </Link>
          <Link to="/orders/history">History</Link>
        </nav>
      </Toolbar>
      <div className={styles['body']} aria-busy={data === undefined && query.isFetching}>
        <PanelBody query={query}>
          {(latest) => <WorkingOrders latest={latest} dueAt={dueAt} paused={paused} setPaused={setPaused} />}
        </PanelBody>
      </div>
    </div>
  );
}
