import { useMemo, useRef } from 'react';
import { formatNumber, NO_VALUE } from '#domain/format-number.ts';
import { toContracts, toFilledNotional, toNotional, toPrice, toRemaining, toTicks } from '#domain/orders/order-figures.ts';
import { findNeighbours } from '#domain/orders/order-neighbours.ts';
import { toAgeSeconds, type OrderRow } from '#domain/orders/order-row.ts';
import { toProductKind } from '#domain/orders/product-kind.ts';
import { ABSENT_BECAUSE, toRowStanding } from '#domain/orders/order-status.ts';
import { FactList, type Fact } from '#ui/fact-list.tsx';
import { Figure } from '#ui/figure.tsx';
import { StateWord } from '#ui/state-word.tsx';
import { Moment } from '#ui/time/moment.tsx';
import { formatDuration } from '#ui/time/format-time.ts';
import { formatUsd } from './figure-text.ts';
import { Neighbours } from './neighbours.tsx';
import { explainCell } from './order-notes.ts';
import styles from './orders.module.css';

interface OrderDetailProps {
  readonly rows: readonly OrderRow[];
  readonly orderId: string;
  readonly open: (id: string) => void;
  /** Among which orders those next to it were looked for, a sentence, where they are not all. */
  readonly among?: string;
}

const MOST_NEIGHBOURS = 3;

/** Every field of an order, each figure with where it comes from, and the orders next to it. */
export function OrderDetail({ rows, orderId, open, among }: OrderDetailProps) {
  const row = useMemo(() => rows.find(({ order }) => order.id === orderId), [rows, orderId]);
  const neighbours = useMemo(() => row && findNeighbours(row, rows, MOST_NEIGHBOURS), [row, rows]);
  const heading = useRef<HTMLHeadingElement>(null);
  if (row === undefined || neighbours === undefined) {
    return <p className={styles['quiet']}>{orderId === '' ? 'Open an order by Enter, or by two clicks on its row.' : `Order ${orderId} does not rest in the market, as far as this list goes.`}</p>;
  }
  const { order, terms } = row;
  return (
    <>
      <h3 ref={heading} tabIndex={-1}>
        <span className={styles['side']} data-side={order.side}>
          {order.side}
        </span>{' '}
        {formatNumber(toContracts(row, 'quantity_requested').value)} {order.symbol} at {formatUsd(toPrice(row), { digits: terms.digits })}
      </h3>
      {row.absent !== undefined && (
        <p>
          <StateWord state="attention">{toRowStanding(row).word}</StateWord> {ABSENT_BECAUSE[row.absent]} All below is as it was before.
        </p>
      )}
      <FactList facts={[...toFigures(row), ...toWords(row)]} />
      <h3>Next to it</h3>
      {among !== undefined && <p className={styles['quiet']}>{among}</p>}
      <Neighbours
        neighbours={neighbours}
        open={(id) => {
          open(id);
          // What was pressed is not next to that one: the keyboard starts at its top.
          heading.current?.focus();
        }}
      />
      <h3>Where its price comes from</h3>
      <FactList facts={explainCell(row, 'price')} />
    </>
  );
}

function toFigures(row: OrderRow): readonly Fact[] {
  const { digits } = row.terms;
  const fact = (name: string, columnId: string, text: string): Fact => ({
    name,
    value: <Figure name={name} text={text} provenance={() => explainCell(row, columnId)} />,
  });
  return [
    fact('Price, USD', 'price', formatUsd(toPrice(row), { digits })),
    { name: 'Price, ticks', value: formatNumber(toTicks(row).value) },
    fact('Filled', 'filled', `${formatNumber(toContracts(row, 'quantity_filled').value)} of ${formatNumber(toContracts(row, 'quantity_requested').value)}`),
    fact('Remaining', 'remaining', formatNumber(toRemaining(row).value)),
    fact('Notional, USD', 'notional', formatUsd(toNotional(row), { digits: 2 })),
    fact('Avg price, USD', 'avgPrice', formatUsd(toPrice(row, 'avg_price'), { digits })),
    fact('Filled value, USD', 'filledNotional', formatUsd(toFilledNotional(row), { digits: 2 })),
  ];
}

function toAgeText(row: OrderRow): string {
  const seconds = toAgeSeconds(row);
  return seconds === null ? NO_VALUE : formatDuration(seconds);
}

function toWords(row: OrderRow): readonly Fact[] {
  const { order, terms } = row;
  const { word, derived } = toRowStanding(row);
  const kind = toProductKind(row);
  return [
    { name: 'Status', value: derived ? `${word} (derived)` : word },
    { name: 'As of', value: <Moment at={row.asOf} /> },
    { name: 'Age', value: toAgeText(row) },
    { name: 'Time', value: <Moment at={order.time} /> },
    { name: 'Time, exact', value: order.time, code: true },
    { name: 'Modified, may lag', value: order.last_modified, code: true },
    { name: 'Time in force', value: order.time_in_force },
    { name: 'Account', value: order.account_id },
    { name: 'Clearing firm', value: order.clearing_firm_code },
    { name: 'Connection', value: order.connection_id, code: true },
    { name: 'Product', value: `${terms.product?.product_name ?? order.symbol} (${String(terms.productId)})` },
    { name: 'Type', value: kind === order.product_type ? kind : `${kind}, which the order calls ${order.product_type}` },
    { name: 'Contract size', value: terms.contractSize === null ? '–' : `${terms.contractSize.toFixed()} ${terms.product?.contract_size_unit ?? ''}` },
    { name: 'Order id', value: order.id, code: true },
    { name: 'Opening ack', value: order.open_ack_id, code: true },
  ];
}
