import { formatCount } from '#model/format/count.ts';
import type { OrderRow } from '#model/orders/order-row.ts';
import { FactList } from '#page/kit/fact-list.tsx';
import { Timestamp } from '#page/kit/time/timestamp.tsx';
import { DepthPanel } from '../depth/depth-panel.tsx';
import { LazyOrderDetail } from '../detail/lazy-order-detail.ts';
import styles from '../shared/orders.module.css';
import { PanelFrame } from '../shared/panel-frame.tsx';
import type { PanelName } from '../shared/url-params.ts';
import { CompletenessBadge } from '../working/completeness.tsx';
import { NO_MARKET } from './explain-past-cell.ts';
import type { PastBook } from './use-book.ts';

interface PastPanelProps {
  readonly panel: Exclude<PanelName, 'none'>;
  readonly close: () => void;
  readonly rows: readonly OrderRow[];
  readonly matching: readonly OrderRow[];
  readonly orderId: string;
  readonly openOrder: (id: string) => void;
  readonly book: PastBook;
}

const TITLES = {
  order: 'Order then',
  depth: 'Depth of your orders then',
  exposure: 'Exposure by account',
  proof: 'The reading',
} as const;

/** The panel beside the list, of the same time as the list. */
export function PastPanel({ panel, close, rows, matching, orderId, openOrder, book }: PastPanelProps) {
  return (
    <PanelFrame title={TITLES[panel]} close={close}>
      {panel === 'order' && <LazyOrderDetail rows={rows} orderId={orderId} open={openOrder} isPast />}
      {panel === 'depth' && <DepthPanel rows={matching} />}
      {panel === 'exposure' && (
        <p className={styles['quiet']}>
          There is no exposure of an earlier time: it is valued at market prices. {NO_MARKET}
        </p>
      )}
      {panel === 'proof' && <Reading book={book} />}
    </PanelFrame>
  );
}

/** The reading that the list is of, and what is known of its completeness. */
function Reading({ book: { completeness, nextReadAt, source, deviationTexts } }: { readonly book: PastBook }) {
  const issues = [...completeness.reasons, ...deviationTexts];
  return (
    <>
      <FactList
        facts={[
          { name: 'Result', value: <CompletenessBadge completeness={completeness} isStale={false} /> },
          { name: 'Orders', value: formatCount(completeness.orders) },
          { name: 'First part read', value: <Timestamp at={completeness.readFrom} />, code: true },
          { name: 'Last part read', value: <Timestamp at={completeness.readTo} />, code: true },
          { name: 'Next reading', value: nextReadAt === null ? 'none yet' : <Timestamp at={nextReadAt} />, code: true },
          { name: 'Request', value: `GET ${source.target}`, code: true },
        ]}
      />
      {issues.length > 0 && (
        <ul className={styles['sentences']}>
          {issues.map((issue) => (
            <li key={issue}>{issue}</li>
          ))}
        </ul>
      )}
    </>
  );
}
