import { formatDuration } from '#model/format/format-time.ts';
import { Time } from '#page/kit/time/time.tsx';
import { useNow } from '#page/kit/time/use-now.tsx';
import styles from './alerts.module.css';
import type { Alert, Evidence as EvidenceRows, OrderFigures } from '#contract/desk/alerts.ts';
import { Timestamp } from '#page/kit/time/timestamp.tsx';
import type { Order } from '#contract/exchange/order.ts';
import { wireText } from '#contract/exchange/row-notes.ts';
import { countOf, formatCount } from '#model/format/count.ts';
import { formatNumber, NO_VALUE } from '#model/format/number.ts';
import { toDecimal } from '#model/units/decimal.ts';
import { Link } from '#page/kit/navigation.tsx';
import { type Column, Table } from '#page/kit/table.tsx';

/** Shows how long ago something was, updated every second. */
export function Age({ since }: { readonly since: string }) {
  return <Time at={since}>{formatDuration((useNow() - Date.parse(since)) / 1_000)}</Time>;
}

/** Marks each severity by a shape of its own, so that it does not depend on colour. */
export function SeverityMark({ severity, isQuiet = false }: { readonly severity: string; readonly isQuiet?: boolean }) {
  return (
    <span className={styles['severity']} data-severity={severity} data-quiet={isQuiet}>
      {severity}
    </span>
  );
}

/** Names the person who acknowledged the alert, who takes care of it, with time and note. */
export function Acknowledged({
  acknowledged: { by, at, note, assignee = by },
}: {
  readonly acknowledged: NonNullable<Alert['acknowledged']>;
}) {
  return (
    <>
      Acknowledged by {by}
      {assignee !== by && <>, for {assignee}</>}, <Timestamp at={at} />
      {note !== '' && <>: “{note}”</>}
    </>
  );
}

interface EvidenceRow {
  readonly order: Order;
  /** Null in what earlier versions stored. */
  readonly figures: OrderFigures | null;
}

const ORDER_COLUMNS: readonly Column<EvidenceRow>[] = [
  {
    name: 'Product',
    pinned: 'start',
    cell: ({ order: { symbol } }) => <Link to={`/price/${encodeURIComponent(symbol)}`}>{symbol}</Link>,
  },
  { name: 'Side', cell: ({ order: { side } }) => side },
  { name: 'Distance', unit: '%', numeric: true, cell: ({ figures }) => figureOf(figures?.distance_percent, 2) },
  {
    name: 'Price',
    unit: 'USD',
    numeric: true,
    cell: ({ order, figures }) =>
      figures === null || figures.price_usd === null
        ? `${exactly(wireText(order, 'price'))} ticks`
        : figureOf(figures.price_usd),
  },
  { name: 'Market', unit: 'USD', numeric: true, cell: ({ figures }) => figureOf(figures?.market_usd) },
  { name: 'Notional', unit: 'USD', numeric: true, cell: ({ figures }) => figureOf(figures?.notional_usd, 0) },
  {
    name: 'Filled / qty',
    unit: 'contracts',
    numeric: true,
    cell: ({ order }) =>
      `${exactly(wireText(order, 'quantity_filled'))} / ${exactly(wireText(order, 'quantity_requested'))}`,
  },
  { name: 'Account', cell: ({ order: { account_id: account } }) => account },
  { name: 'Accepted', cell: ({ order: { time } }) => <Timestamp at={time} /> },
  { name: 'Order ID', cell: ({ order: { id } }) => <Link to={`/orders/life/${id}`}>{id}</Link> },
];

const UNPRICED_COLUMNS: readonly Column<EvidenceRow>[] = ORDER_COLUMNS.flatMap((column) => {
  if (['Distance', 'Market', 'Notional'].includes(column.name)) return [];
  if (column.name !== 'Price') return [column];
  return [{ ...column, unit: 'ticks', cell: ({ order }: EvidenceRow) => exactly(wireText(order, 'price')) }];
});

function exactly(text: string | null): string {
  return formatNumber(text === null ? null : toDecimal(text));
}

function figureOf(text: string | null | undefined, digits?: number): string {
  return text === null || text === undefined
    ? NO_VALUE
    : formatNumber(toDecimal(text), { ...(digits !== undefined && { digits }) });
}

/** Shows the rows that caused an alert, the worst first. */
export function EvidenceTable({ evidence }: { readonly evidence: EvidenceRows }) {
  const { orders, products, figures } = evidence;
  if (orders.length === 0)
    return (
      <ul className={styles['products']}>
        {products.map((product) => (
          <li key={String(product.product_id)}>
            <Link to={`/price/${String(product.product_id)}`}>Product {String(product.product_id)}</Link>
          </li>
        ))}
      </ul>
    );
  const rows = orders.map((order, index) => ({ order, figures: figures?.[index] ?? null }));
  const isPriced = rows.some((row) => row.figures !== null && row.figures.price_usd !== null);
  return (
    <>
      {!isPriced && (
        <p className={styles['by']}>
          Prices are in ticks, without distances: this rule reads no market prices. The book of that time has them.
        </p>
      )}
      <Table
        caption="Orders at that moment"
        columns={isPriced ? ORDER_COLUMNS : UNPRICED_COLUMNS}
        rows={rows}
        keyOf={({ order }) => order.id}
      />
    </>
  );
}

/** Says how many of the rows are shown. */
export function describeEvidence({ total, orders, products }: EvidenceRows): string {
  const noun = orders.length > 0 ? 'order' : 'product';
  const shown = Math.max(orders.length, products.length);
  return total > shown ? `The worst ${formatCount(shown)} of ${countOf(total, noun)}` : countOf(total, noun);
}

/** Folds the rows that caused a past alert, as the exchange sent them. */
export function Evidence({ evidence, at }: { readonly evidence: EvidenceRows; readonly at: string }) {
  if (evidence.orders.length === 0 && evidence.products.length === 0) return null;
  return (
    <details className={styles['evidence']}>
      <summary>{describeEvidence(evidence)} at that moment</summary>
      <p className={styles['note']}>
        As of <Timestamp at={at} />.
      </p>
      <EvidenceTable evidence={evidence} />
    </details>
  );
}
